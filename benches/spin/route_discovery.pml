/* Route discovery among four mobile nodes, as crates/protocols/src/route_discovery explores it: each broadcast is heard
 * by any set of at most two nodes, each node has a mailbox of one packet, the source tries up to three times. One
 * process takes all steps, each at once, so that states and steps are those of Everypath. A number of 0 means that there
 * is none. */

#define N 4
#define TRIALS 3
#define NOBODY N

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

/* The packet that is being handled, and a walk along routes; 0 between steps. */
byte k, f, x, h, walker, place, steps;

inline put(node, a_kind, sender, a_number, some_hops) {
    kind[node] = a_kind; from[node] = sender; number[node] = a_number; hops[node] = some_hops
}

/* A broadcast that two nodes hear, or fewer. */
inline broadcast(sender, a_number, some_hops, one, other) {
    if
    :: one != NOBODY -> put(one, REQUEST, sender, a_number, some_hops)
    :: else -> skip
    fi;
    if
    :: other != NOBODY -> put(other, REQUEST, sender, a_number, some_hops)
    :: else -> skip
    fi
}

/* What Everypath asserts, too: whoever has a route reaches the end by it. Only a changed route can break that. */
#define assert_reached(end, numbers, next_hops)          \
    do                                                   \
    :: walker < N ->                                     \
        place = walker; steps = 0;                       \
        if                                               \
        :: numbers[walker] > 0 ->                        \
            do                                           \
            :: place != end ->                           \
                assert(numbers[place] > 0 && steps < N); \
                place = next_hops[place]; steps++        \
            :: else -> break                             \
            od                                           \
        :: else -> skip                                  \
        fi;                                              \
        walker++                                         \
    :: else -> break                                     \
    od;                                                  \
    walker = 0; place = 0; steps = 0

inline handle(me, one, other) {
    k = kind[me]; f = from[me]; x = number[me]; h = hops[me];
    put(me, 0, 0, 0, 0);
    if
    :: k == REQUEST && me != SOURCE && source_number[me] < x ->
        source_number[me] = x; source_next[me] = f; source_hops[me] = h;
        assert_reached(SOURCE, source_number, source_next);
        if
        :: me == DESTINATION -> put(f, REPLY, me, x, 0)
        :: else -> broadcast(me, x, h + 1, one, other)
        fi
    :: k == REPLY && destination_number[me] < x && (me == SOURCE || source_number[me] > 0) ->
        destination_number[me] = x; destination_next[me] = f; destination_hops[me] = h;
        assert_reached(DESTINATION, destination_number, destination_next);
        if
        :: me != SOURCE -> put(source_next[me], REPLY, me, x, h + 1)
        :: else -> skip
        fi
    :: else -> skip
    fi;
    k = 0; f = 0; x = 0; h = 0
}

#define forwards(me) \
    (me != SOURCE && me != DESTINATION && kind[me] == REQUEST && source_number[me] < number[me])

/* A packet that is not passed on has one outcome. */
#define delivery(me, one, other) \
    :: d_step { kind[me] != 0 && (one == NOBODY || forwards(me)) -> handle(me, one, other) }

#define trial(me, one, other) \
    :: d_step { trials < TRIALS && destination_number[me] == 0 -> trials++; broadcast(me, trials, 0, one, other) }

/* A step with each set of at most two of three other nodes. */
#define with_each_audience(step, me, a, b, c) \
    step(me, a, b)                            \
    step(me, a, c)                            \
    step(me, b, c)                            \
    step(me, a, NOBODY)                       \
    step(me, b, NOBODY)                       \
    step(me, c, NOBODY)                       \
    step(me, NOBODY, NOBODY)

active proctype network() {
end:
    do
    with_each_audience(trial, SOURCE, 1, 2, 3)
    with_each_audience(delivery, 1, 0, 2, 3)
    with_each_audience(delivery, 2, 0, 1, 3)
    delivery(SOURCE, NOBODY, NOBODY)
    delivery(DESTINATION, NOBODY, NOBODY)
    od
}
