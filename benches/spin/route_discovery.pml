/* Route discovery among mobile nodes, as crates/protocols/src/route_discovery explores it: each broadcast is heard by
 * any set of at most K nodes, each node has a mailbox of one packet, the source tries up to T times. One process takes
 * all steps, each atomically, so that states are those of Everypath. A number of 0 means that there is none. */

#ifndef N
#define N 4
#endif
#ifndef T
#define T 3
#endif
#define K 2

#define SOURCE 0
#define DESTINATION (N - 1)
#define REQUEST 1
#define REPLY 2

/* Routes to the source and to the destination. */
byte source_number[N], source_next[N], source_hops[N];
byte destination_number[N], destination_next[N], destination_hops[N];
byte trials;
/* Mailboxes. */
byte kind[N], from[N], number[N], hops[N];

/* The packet that is being handled; 0 between steps. */
byte k, f, x, h, to, heard;

inline put(node, a_kind, sender, a_number, some_hops) {
    kind[node] = a_kind; from[node] = sender; number[node] = a_number; hops[node] = some_hops
}

inline broadcast(sender, a_number, some_hops) {
    to = 0; heard = 0;
    do
    :: to < N && to != sender && heard < K ->
        put(to, REQUEST, sender, a_number, some_hops); heard++; to++
    :: to < N -> to++
    :: to == N -> break
    od;
    to = 0; heard = 0
}

inline handle(me) {
    k = kind[me]; f = from[me]; x = number[me]; h = hops[me];
    put(me, 0, 0, 0, 0);
    if
    :: k == REQUEST && me != SOURCE && source_number[me] < x ->
        source_number[me] = x; source_next[me] = f; source_hops[me] = h;
        if
        :: me == DESTINATION -> put(f, REPLY, me, x, 0)
        :: else -> broadcast(me, x, h + 1)
        fi
    :: k == REPLY && destination_number[me] < x && (me == SOURCE || source_number[me] > 0) ->
        destination_number[me] = x; destination_next[me] = f; destination_hops[me] = h;
        if
        :: me != SOURCE -> put(source_next[me], REPLY, me, x, h + 1)
        :: else -> skip
        fi
    :: else -> skip
    fi;
    k = 0; f = 0; x = 0; h = 0
}

active proctype network() {
end:
    do
    :: atomic {
        trials < T && destination_number[SOURCE] == 0 ->
            trials++; broadcast(SOURCE, trials, 0)
    }
    :: atomic { kind[0] != 0 -> handle(0) }
    :: atomic { kind[1] != 0 -> handle(1) }
#if N > 2
    :: atomic { kind[2] != 0 -> handle(2) }
#endif
#if N > 3
    :: atomic { kind[3] != 0 -> handle(3) }
#endif
#if N > 4
    :: atomic { kind[4] != 0 -> handle(4) }
#endif
    od
}
