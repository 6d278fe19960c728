/* Stop-and-wait ARQ over one list of packets, the correct version: what Everypath explores as `arq` with
 * `network=list`, written so that SPIN is at its best.
 *
 * One option of the loop is one event, and one transition. The list of packets is three masks with the
 * oldest packet in the lowest bit, so that no event needs a loop or a variable of its own: the state has
 * nothing but what the protocol needs, and the first state is the initial one. Masks have 32 bits, and to
 * depth 45 at most 23 packets are in flight.
 */

int acks = 0; /* the places that hold an acknowledgement; the others hold data */
int ones = 0; /* the places whose packet carries a 1 */
int free = 2; /* the first free place */

bit sent = 0;
bit expected = 0;
byte handed_down = 1;
byte delivered = 0;

#define DATA (~acks & (free - 1))
#define OLDEST(places) ((places) & -(places))
#define WITHOUT(mask, place) (((mask) & (place - 1)) | (((mask) >> 1) & ~(place - 1)))

/* In this order: where a packet is follows from `acks` and `free`. */
#define TAKE_DATA \
    ones = WITHOUT(ones, OLDEST(DATA)); \
    acks = WITHOUT(acks, OLDEST(DATA)); \
    free = free >> 1
#define TAKE_ACK \
    ones = WITHOUT(ones, OLDEST(acks)); \
    acks = WITHOUT(acks, OLDEST(acks)); \
    free = free >> 1

#define APPEND(number) \
    ones = ones | (number * free); \
    free = free << 1

#define AT_MOST_TWO_AHEAD (handed_down <= delivered + 2)

active proctype arq()
{
    do
    :: d_step { /* data arrives */
        DATA != 0;
        if
        :: ((ones & OLDEST(DATA)) != 0) == expected -> expected = 1 - expected; delivered++
        :: else
        fi;
        TAKE_DATA;
        acks = acks | free;
        APPEND(expected);
        assert(AT_MOST_TWO_AHEAD)
    }
    :: d_step { /* an acknowledgement arrives */
        acks != 0;
        if
        :: ((ones & OLDEST(acks)) != 0) != sent -> sent = 1 - sent; handed_down++
        :: else
        fi;
        TAKE_ACK;
        APPEND(sent);
        assert(AT_MOST_TWO_AHEAD)
    }
    :: d_step { /* the sender times out */
        DATA == 0;
        APPEND(sent)
    }
    :: d_step { /* data is lost */
        DATA != 0;
        TAKE_DATA
    }
    :: d_step { /* an acknowledgement is lost */
        acks != 0;
        TAKE_ACK
    }
    od
}
