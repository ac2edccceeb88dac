-- Whose account a payout goes to, as the bank was told: a file of payouts is the same however often it
-- is written, whatever the account is called by then. Null where a payout stands in no file yet, and
-- in what the release before put into one since.
alter table payout_transfers add column holder text, add column cuit text;
update payout_transfers t set holder = a.name, cuit = a.cuit
from accounts a where a.id = t.account_id and t.file_id is not null;
