"""Games of the Blackjack kind: hands that split, stakes on each, and a dealer who draws.

A chapter's game writes its text as a `manner.Manner` and calls, in this order:

1. `hands.lay_out` parts the play of a round into the hands of the seats and the dealer's: cards and words in
   order, splits carried out, cards that the decks do not hold set aside; `hands.act_fault` defines the valid
   words;
2. `player_hand.deal_defects` and `player_hand.turn_defects` return what came out of turn (of the first,
   nothing that depends on cards can be settled), `hands.strays` what was done on hands that do not exist,
   `stakes.split_defects` which splits the text does not allow, and which hands do not settle because of
   them;
3. `player_hand.ends_of` plays a hand out for every card that an unread one could be: how it ended, its
   total, the cards that count, whether it settles, and what was wrong (`player_hand.proven` keeps what is
   wrong in all of them);
4. `dealer_hand.dealer_ends` does the same with the dealer's hand, and with the cards that were due to it;
5. `stakes.stake_faults` returns stakes that are missing, differ or are not allowed (for `game.wager_faults`);
6. `hands.matches` returns how many cards can match the dealer's up card.

`counting` reads and adds cards, `kinds` holds the checks. Each chapter has its own rules for what a hand is
paid.
"""
