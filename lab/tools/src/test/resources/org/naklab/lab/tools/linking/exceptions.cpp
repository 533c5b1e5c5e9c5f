// Throws through a function of the C library, and through one of its own, and counts what it has caught.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static int refuse(const void *, const void *) {
    throw std::runtime_error("through qsort");
}

int main() {
    int caught = 0;
    for (int i = 0; i < 500; i++) {
        int numbers[3] = {3, 2, 1};
        try {
            qsort(numbers, 3, sizeof(int), refuse);
        } catch (const std::runtime_error &) {
            caught++;
        }
        try {
            std::vector<int>().at(3);
        } catch (const std::out_of_range &) {
            caught++;
        }
    }
    std::printf("%d\n", caught);
    return 0;
}
