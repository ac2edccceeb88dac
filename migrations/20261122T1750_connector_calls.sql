-- Calls of connectors that were heard, so that none is obeyed again by any process; of the deployment.
create table connector_calls (
  connector text not null,
  -- webhook-id of the call.
  id text not null,
  -- Seconds of the wall clock; its timestamp is too old from then on.
  until bigint not null,
  primary key (connector, id)
);
create index connector_calls_until on connector_calls (until);
