-- What was paid out of a wallet's payment that is of no charge.
create index settlement_lines_of_payments on settlement_lines (connector, trx)
  where trx is not null and attempt_id is null;
