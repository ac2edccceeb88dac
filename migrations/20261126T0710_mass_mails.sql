-- Mails that many payers get at once go behind letters to one person.
alter table mails add column mass boolean not null default false;
-- What waits already was written for payers, where it tells of a request.
update mails set mass = true
where state = 'waiting' and link_kind in ('payer_request', 'payer_request_with_coupon',
  'payer_reminder', 'payer_receipt');
drop index mails_to_send;
create index mails_to_send on mails (account_id, paced, mass, next_at, id)
  where state = 'waiting';
