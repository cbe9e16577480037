"""Games of the Blackjack kind: hands that split, stakes on each, and a dealer who draws.

A chapter's game puts its text into a `Manner` (`manner`) and asks, in this order:

1. `layout.lay_out` parts the play of a round into the hands of the seats and the dealer's: cards and words in
   order, splits carried out, cards that the decks do not hold set aside; `layout.act_fault` says which words
   there are;
2. `order.deal_defects` and `order.turn_defects` say what came out of turn (of the first, nothing that hangs
   on cards can be settled), `layout.strays` what was done on hands that do not exist,
   `splitting.split_defects` which splits the text does not allow, and which hands do not settle therefore;
3. `playing.ends_of` plays a hand out for every card that an unread one could be: how it ended, its total, the
   cards that count, whether it settles, and what was wrong (`playing.proven` keeps what is wrong in all of
   them);
4. `dealing.dealer_ends` does the same with the dealer's hand, and with the cards that were due to it;
5. `stakes.stake_faults` names stakes that lack, differ or lie where they may not (for `Game.wager_faults`);
6. `matching.matches` says how many cards can match the dealer's up card.

`counting` reads and adds cards, `kinds` holds the checks. What a hand is then paid is each chapter's own.
"""
