-- Indexes that had the state in them: with any of these each payment writes a request into all of
-- its indexes anew. A process of the release before is slower without them, and not wrong.
drop index requests_list_state;
drop index requests_to_expire_but_qrs;
drop index qrs_to_expire;
drop index requests_second_dues;
-- Room beside each row for its next version: a file pays neighbours in one transaction, so each needs
-- a place of its own. What it takes is less than what indexes grow by without it.
alter table requests set (fillfactor = 50);
