-- Requests are listed by the channel that paid them.
create index results_by_channel on results (account_id, kind, channel, request_id)
  where type = 'collected';
