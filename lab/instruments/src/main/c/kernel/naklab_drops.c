#define _GNU_SOURCE
#include "naklab_drops.h"

#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <string.h>
#include "naklab_json.h"
#include "naklab_kernel.h"
#include "naklab_programs.h"
#include "naklab_time.h"

static const char *reasons[1024];
static unsigned long long lost_told[LOST_COUNTERS];

void read_reasons(void)
{
    struct btf *btf = btf__load_vmlinux_btf();
    int id = btf ? btf__find_by_name_kind(btf, "skb_drop_reason", BTF_KIND_ENUM) : -1;
    if (id > 0) {
        const struct btf_type *type = btf__type_by_id(btf, (unsigned int) id);
        const struct btf_enum *values = btf_enum(type);
        for (int i = 0; i < btf_vlen(type); i++) {
            const char *name = btf__name_by_offset(btf, values[i].name_off);
            static const char prefix[] = "SKB_DROP_REASON_";
            if (values[i].val >= 0 && values[i].val < (int) (sizeof reasons / sizeof *reasons))
                reasons[values[i].val] = strdup(strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name);
        }
    }
    btf__free(btf);
}

void put_drops(void)
{
    int map = map_of("drops");
    struct drop_key key, *previous = NULL, taken[256];
    int count = 0;
    while (count < 256 && bpf_map_get_next_key(map, previous, &key) == 0) {
        taken[count] = key;
        previous = &taken[count++];
    }
    for (int i = 0; i < count; i++) {
        struct drop_count drops;
        if (bpf_map_lookup_and_delete_elem(map, &taken[i], &drops) != 0)
            continue;
        char source[INET_ADDRSTRLEN], destination[INET_ADDRSTRLEN], number[16];
        inet_ntop(AF_INET, &taken[i].source, source, sizeof source);
        inet_ntop(AF_INET, &taken[i].destination, destination, sizeof destination);
        snprintf(number, sizeof number, "%u", taken[i].reason);
        const char *reason = taken[i].reason < sizeof reasons / sizeof *reasons ? reasons[taken[i].reason] : NULL;
        printf("{\"type\":\"drops\",\"beginNs\":%llu,\"endNs\":%llu,\"count\":%llu,\"port\":%u,\"netns\":%u", drops.first_ns, drops.last_ns, drops.count,
               ntohs(taken[i].port), taken[i].netns);
        put_named("reason", reason ? reason : number);
        put_named("source", source);
        put_named("destination", destination);
        puts("}");
    }
}

void put_losses(void)
{
    static const char *names[] = {"records", "threads", "drops"};
    int processors = libbpf_num_possible_cpus();
    unsigned long long values[processors > 0 ? processors : 1];
    for (unsigned int what = 0; what < LOST_COUNTERS; what++) {
        unsigned long long sum = 0;
        if (bpf_map_lookup_elem(map_of("lost"), &what, values) != 0)
            continue;
        for (int i = 0; i < processors; i++)
            sum += values[i];
        if (sum != lost_told[what]) {
            printf("{\"type\":\"lost\",\"what\":\"%s\",\"count\":%llu,\"timeNs\":%llu}\n", names[what], sum - lost_told[what], now_ns());
            lost_told[what] = sum;
        }
    }
}
