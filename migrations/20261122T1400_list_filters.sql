-- Each filter of the lists has an index; QRs are not listed, and so pay for none of them. The id at
-- the end gives equal ones in the order of the list, and lets a range be put into it from the index
-- alone.
drop index requests_by_reference;
create index requests_list_reference on requests (account_id, kind, reference, id)
  where reference is not null and kind <> 'qr';
create index requests_list_payer on requests (account_id, kind, payer, id) where kind <> 'qr';
create index requests_list_state on requests (account_id, kind, state, id) where kind <> 'qr';
create index requests_list_created on requests (account_id, kind, created_at, id)
  where kind <> 'qr';
create index requests_list_due on requests (account_id, kind, due1, id) where kind <> 'qr';
create index requests_list_total on requests (account_id, kind, total1, id) where kind <> 'qr';

drop index mandates_by_reference;
create index mandates_list_reference on mandates (account_id, kind, reference, id)
  where reference is not null;
create index mandates_list_holder on mandates (account_id, kind, holder, id);
create index mandates_list_state on mandates (account_id, kind, state, id);
create index mandates_list_created on mandates (account_id, kind, created_at, id);
