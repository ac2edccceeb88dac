-- The HMAC that a process makes of a row as it writes it, by a key that the database does not have.
-- Rows from before have none.
alter table journals add column stamp bytea;
alter table attempts add column stamp bytea;
alter table charge_references add column stamp bytea;
alter table network_charges add column stamp bytea;
alter table unwanted_approvals add column stamp bytea;

-- What an acquirer or a network named stays named: forgotten, it could be booked once more.
revoke delete, truncate on charge_references, network_charges, unwanted_approvals from current_user;
