-- Card payments without an answer are counted apart from refused ones, with a wider bound: an outage
-- of an acquirer is no sign of card testing.
alter table card_tries add column unanswered int not null default 0;
