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
#include "naklab_symbols.h"
#include "naklab_time.h"

static const char *reasons[1024];
static unsigned long long lost_told[LOST_COUNTERS];

/* What was told last of each sender to the port, and of each of its sockets. */
static struct told_sender {
    struct flow flow;
    unsigned long long count;
} told_senders[1024];
static int senders;
static struct told_socket {
    struct delivery_key key;
    unsigned long long count;
} told_sockets[1024];
static int sockets;

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

static void put_flow(const struct flow *flow)
{
    char source[INET6_ADDRSTRLEN], destination[INET6_ADDRSTRLEN];
    int family = flow->ipv6 ? AF_INET6 : AF_INET;
    inet_ntop(family, flow->source, source, sizeof source);
    inet_ntop(family, flow->destination, destination, sizeof destination);
    printf(",\"flow\":{\"netns\":%u,\"sourcePort\":%u,\"port\":%u,\"fragment\":%s", flow->netns, ntohs(flow->source_port), ntohs(flow->port), flow->fragment ? "true" : "false");
    put_named("source", source);
    put_named("destination", destination);
    putchar('}');
}

void put_drops(void)
{
    int map = map_of(drops);
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
        char number[32];
        snprintf(number, sizeof number, "%u", taken[i].reason);
        const char *reason = taken[i].reason < sizeof reasons / sizeof *reasons ? reasons[taken[i].reason] : NULL;
        const char *location = kernel_symbol(taken[i].location - 1);
        printf("{\"type\":\"drops\",\"beginNs\":%llu,\"endNs\":%llu,\"count\":%llu,\"inode\":%llu", drops.first_ns, drops.last_ns, drops.count, taken[i].inode);
        put_named("reason", reason ? reason : number);
        put_named("location", location ? location : "");
        put_flow(&taken[i].flow);
        puts("}");
    }
}

/* The counts of all senders so far: those that grew since the last time. */
void put_arrivals(void)
{
    int map = map_of(arrivals);
    struct flow key, *previous = NULL;
    struct arrivals now;
    for (int seen = 0; seen < 1024 && bpf_map_get_next_key(map, previous, &key) == 0; seen++) {
        static struct flow last;
        last = key;
        previous = &last;
        int i = 0;
        while (i < senders && memcmp(&told_senders[i].flow, &key, sizeof key) != 0)
            i++;
        if (i == 1024 || bpf_map_lookup_elem(map, &key, &now) != 0 || (i < senders && told_senders[i].count == now.count))
            continue;
        told_senders[i].flow = key;
        told_senders[i].count = now.count;
        senders = i == senders ? senders + 1 : senders;
        printf("{\"type\":\"arrivals\",\"timeNs\":%llu,\"count\":%llu,\"bytes\":%llu,\"firstNs\":%llu,\"lastNs\":%llu", now_ns(), now.count, now.bytes, now.first_ns, now.last_ns);
        put_flow(&key);
        puts("}");
    }
}

void put_deliveries(void)
{
    int map = map_of(deliveries);
    struct delivery_key key, *previous = NULL;
    struct drop_count now;
    for (int seen = 0; seen < 1024 && bpf_map_get_next_key(map, previous, &key) == 0; seen++) {
        static struct delivery_key last;
        last = key;
        previous = &last;
        int i = 0;
        while (i < sockets && memcmp(&told_sockets[i].key, &key, sizeof key) != 0)
            i++;
        if (i == 1024 || bpf_map_lookup_elem(map, &key, &now) != 0 || (i < sockets && told_sockets[i].count == now.count))
            continue;
        told_sockets[i].key = key;
        told_sockets[i].count = now.count;
        sockets = i == sockets ? sockets + 1 : sockets;
        printf(
            "{\"type\":\"deliveries\",\"firstNs\":%llu,\"lastNs\":%llu,\"count\":%llu,\"inode\":%llu,\"netns\":%u}\n", now.first_ns, now.last_ns, now.count, key.inode, key.netns);
    }
}

/* The maps have room for the senders and sockets of one port. */
void watch_port(unsigned short port)
{
    programs->bss->watched_port = 0;
    put_arrivals();
    put_deliveries();
    for (int i = 0; i < senders; i++)
        bpf_map_delete_elem(map_of(arrivals), &told_senders[i].flow);
    for (int i = 0; i < sockets; i++)
        bpf_map_delete_elem(map_of(deliveries), &told_sockets[i].key);
    senders = 0;
    sockets = 0;
    programs->bss->watched_port = htons(port);
}

void put_receipts(void)
{
    static unsigned long long told_ns;
    unsigned long long latest_ns = told_ns;
    int map = map_of(receipts);
    struct receipt_key key, last, *previous = NULL;
    struct receipts now;
    for (int seen = 0; seen < 1024 && bpf_map_get_next_key(map, previous, &key) == 0; seen++) {
        last = key;
        previous = &last;
        if (bpf_map_lookup_elem(map, &key, &now) != 0 || now.last_ns <= told_ns)
            continue;
        latest_ns = now.last_ns > latest_ns ? now.last_ns : latest_ns;
        printf("{\"type\":\"receipts\",\"lastNs\":%llu,\"inode\":%llu", now.last_ns, key.inode);
        put_task("task", &now.task);
        puts("}");
    }
    told_ns = latest_ns;
}

void put_gap(const struct gap_record *gap)
{
    printf("{\"type\":\"gap\",\"beginNs\":%llu,\"endNs\":%llu", gap->begin_ns, gap->end_ns);
    put_flow(&gap->flow);
    puts("}");
}

void put_losses(void)
{
    static const char *names[] = {"records", "threads", "drops", "senders"};
    int processors = libbpf_num_possible_cpus();
    unsigned long long values[processors > 0 ? processors : 1];
    for (unsigned int what = 0; what < LOST_COUNTERS; what++) {
        unsigned long long sum = 0;
        if (bpf_map_lookup_elem(map_of(lost), &what, values) != 0)
            continue;
        for (int i = 0; i < processors; i++)
            sum += values[i];
        if (sum != lost_told[what]) {
            printf("{\"type\":\"lost\",\"what\":\"%s\",\"count\":%llu,\"timeNs\":%llu}\n", names[what], sum - lost_told[what], now_ns());
            lost_told[what] = sum;
        }
    }
}
