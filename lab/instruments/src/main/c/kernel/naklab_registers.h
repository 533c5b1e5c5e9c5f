/* Where the kernel keeps a thread's user registers: positions in its struct pt_regs, in words. */
#ifndef NAKLAB_REGISTERS_H
#define NAKLAB_REGISTERS_H

/* A BPF program is compiled for no architecture of its own. */
#if defined(__TARGET_ARCH_x86) || defined(__x86_64__)
enum { AT_R15, AT_R14, AT_R13, AT_R12, AT_BP, AT_BX, AT_R11, AT_R10, AT_R9, AT_R8, AT_AX, AT_CX, AT_DX, AT_SI, AT_DI, AT_ORIG_AX, AT_IP, AT_CS, AT_FLAGS, AT_SP, AT_SS, REGISTERS };
/* The number of the system call in its lower half, and the first argument. */
enum { AT_CALL = AT_ORIG_AX, AT_ARGUMENT = AT_DI };
#elif defined(__TARGET_ARCH_arm64) || defined(__aarch64__)
enum { AT_X0, AT_SP = 31, AT_IP, AT_STATE, AT_ORIG_X0, AT_SYSCALL, REGISTERS };
enum { AT_CALL = AT_SYSCALL, AT_ARGUMENT = AT_ORIG_X0 };
#else
#error "only x86-64 and aarch64 are supported"
#endif

#endif
