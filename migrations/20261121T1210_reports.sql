-- Reports read a day's rows in the order of these keys, piece by piece. The settlement report shows
-- what touched the holder's available balance (ledger account 2); collections never do.
drop index journals_by_day;
create index journals_of_available on journals (account_id, on_date, id) where 2 = any (accounts);
drop index withholdings_by_day;
create index withholdings_by_day on withholdings (account_id, informed_on, result_id, no);
