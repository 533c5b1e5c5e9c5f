#include "naklab_libraries.h"

/* Before elf.h, which has macros of the same names. */
#include "naklab_json.h"

#include <bpf/libbpf.h>
#include <elfutils/libdwfl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* NULL where the program is linked with a shared library in place of them. */
__attribute__((weak)) const char *lzma_version_string(void);
__attribute__((weak)) const char *BZ2_bzlibVersion(void);
__attribute__((weak)) const char *zlibVersion(void);
__attribute__((weak)) char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

struct library {
    const char *option; /* of the linker */
    const char *name;
    const char *version; /* what follows a comma is not part of it; NULL: it is not linked */
    const char *licence;
};

static void put_library(const struct library *library, const char *separator)
{
    char version[64];
    snprintf(version, sizeof version, "%.*s", (int) strcspn(library->version, ","), library->version);
    printf("%s{\"type\":\"library\"", separator);
    put_named("name", library->name);
    put_named("version", version);
    printf(",\"purl\":\"pkg:generic/%s@%s\",\"licenses\":[{\"license\":{\"name\":\"%s\"}}],\"properties\":[{\"name\":\"naklab:option\",\"value\":\"%s\"}]}", library->name, version,
        library->licence, library->option);
}

void put_libraries(void)
{
    const char *elfutils = "GPL-2.0-or-later or LGPL-3.0-or-later";
    const struct library libraries[] = {
        {"-ldw", "elfutils", dwfl_version(NULL), elfutils},
        {"-lelf", "elfutils", dwfl_version(NULL), elfutils},
        {"-lbpf", "libbpf", libbpf_version_string() + strlen("v"), "LGPL-2.1-only or BSD-2-Clause"},
        {"-llzma", "xz", lzma_version_string ? lzma_version_string() : NULL, "public domain"},
        {"-lbz2", "bzip2", BZ2_bzlibVersion ? BZ2_bzlibVersion() : NULL, "bzip2-1.0.6"},
        {"-lz", "zlib", zlibVersion ? zlibVersion() : NULL, "Zlib"},
        {"-lstdc++", "gcc", __cxa_demangle ? __VERSION__ : NULL, "GPL-3.0-or-later WITH GCC-exception-3.1"},
    };
    const char *separator = "";
    printf("{\"bomFormat\":\"CycloneDX\",\"specVersion\":\"1.5\",\"version\":1,\"components\":[");
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (!libraries[i].version)
            continue;
        put_library(&libraries[i], separator);
        separator = ",";
    }
    puts("]}");
}
