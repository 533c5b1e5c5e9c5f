/*
 * Gives up its rights, and prints what it may still do: confined recorder|parser FILE. One line for each act, with 0 or the error. With "rights" in
 * place of these words, it prints the capabilities that the recorder keeps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "naklab_confine.h"

static void tell(const char *act, long result)
{
    printf("%s %s\n", act, result == -1 ? strerrorname_np(errno) : "0");
}

static void tell_rights(int status)
{
    char text[4096];
    ssize_t length = read(status, text, sizeof text - 1);
    text[length < 0 ? 0 : length] = '\0';
    char *rights = strstr(text, "CapEff:\t");
    printf("%.16s\n", rights ? rights + 8 : "unknown");
}

int main(int count, char **arguments)
{
    static char *const nothing[] = {NULL};
    union bpf_attr attributes = {0};
    char path[64];
    pid_t parent = getppid();
    int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (count != 3)
        return 64;
    if (strcmp(arguments[1], "parser") == 0)
        confine_parser();
    else
        confine_recorder();
    if (strcmp(arguments[1], "rights") == 0) {
        tell_rights(status);
        return 0;
    }
    tell("read", open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
    tell("look", kill(parent, 0));
    tell("allocate", (long) mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    tell("follow", readlink("/proc/self/exe", path, sizeof path));
    tell("create", open(arguments[2], O_WRONLY | O_CREAT, 0600));
    tell("overwrite", open("/proc/self/comm", O_RDWR));
    tell("execute", execve("/bin/true", nothing, nothing));
    tell("fork", syscall(SYS_fork));
    tell("connect", socket(AF_INET, SOCK_DGRAM, 0));
    tell("signal", kill(parent, SIGCONT));
    tell("trace", ptrace(PTRACE_ATTACH, parent, NULL, NULL));
    tell("type", ioctl(STDERR_FILENO, TIOCSTI, "x"));
    tell("code", (long) mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    tell("load", syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof attributes));
    tell("regain", setuid(0));
    printf("refused %d\n", take_refusals());
    return 0;
}
