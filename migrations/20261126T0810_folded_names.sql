-- A name as it is compared: without case and accents, composed or not.
create function folded(said text) returns text language sql immutable parallel safe
return lower(regexp_replace(normalize(said, nfkd),
  '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'));

-- Lists by the name of the payer or holder find it however it was written.
drop index requests_list_payer;
create index requests_list_payer on requests (account_id, kind, folded(payer), id)
  where kind <> 'qr';
drop index mandates_list_holder;
create index mandates_list_holder on mandates (account_id, kind, folded(holder), id);
