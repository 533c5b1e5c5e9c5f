/* A library whose thread-local storage must be in the room that is there from the start, and a program that is linked with it. */
#include <stdio.h>

#define ROOM 16384

int room_of_thread(void);

#ifdef IS_LIBRARY
static __thread volatile char room[ROOM] __attribute__((tls_model("initial-exec")));

int room_of_thread(void)
{
    room[ROOM - 1] = 1;
    return (int) sizeof(room) * room[ROOM - 1];
}
#else
int main(void)
{
    printf("%d bytes\n", room_of_thread());
    return 0;
}
#endif
