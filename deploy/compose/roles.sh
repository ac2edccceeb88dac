#!/bin/sh
# Creates the owner role, the serving role, and the database.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres \
  --set owner="$OWNER_PASSWORD" --set serving="$DATABASE_PASSWORD" <<'SQL'
create role recaudo_owner login password :'owner';
create role recaudo login password :'serving';
create database recaudo owner recaudo_owner;
SQL
