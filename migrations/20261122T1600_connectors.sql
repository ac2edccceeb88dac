-- Who was asked to charge, and is asked what became of it.
alter table attempts add column connector text not null default 'simulator';
-- When its channel said for the first time that it never heard of it.
alter table attempts add column unheard_at timestamptz;
-- What the payer must do before it is decided: kind, url or data, until.
alter table attempts add column action json;

-- Which attempt an acquirer's id of an approved charge belongs to: an answer that names one that
-- is taken is another attempt's. Of the deployment, as a connector's ids are over all accounts.
create table charge_references (
  connector text not null,
  reference text not null,
  account_id text not null,
  attempt_id bigint not null,
  primary key (connector, reference)
);

-- What operators are to look at, counted; of the deployment.
create table connector_alarms (
  connector text not null,
  -- Empty: of the connector as a whole.
  channel text not null default '',
  kind text not null,
  message text not null,
  times bigint not null default 1 check (times > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Until then, by the wall clock, new charges of the channel go elsewhere or nowhere.
  off_until timestamptz,
  primary key (connector, channel, kind)
);
