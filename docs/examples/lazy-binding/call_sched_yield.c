/* The tiny program of the article: one call through the linkage table. */
#include <sched.h>

int main(void)
{
    return sched_yield();
}
