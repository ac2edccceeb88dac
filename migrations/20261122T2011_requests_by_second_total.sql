-- Money of no known request may be what was asked from the second due on.
create index requests_list_second_total on requests (account_id, kind, total2, id)
  where total2 is not null and kind <> 'qr';
