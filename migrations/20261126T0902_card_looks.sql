-- Answers about a card on file that overtake each other: only that of the newest look counts.
alter table kept_cards
  -- How often a connector was asked about the card after a notice.
  add column looks integer not null default 0;
