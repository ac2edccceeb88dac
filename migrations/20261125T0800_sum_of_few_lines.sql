-- Each journal that is written is summed once. Said as one expression, the sum of a few lines becomes a
-- part of the check itself, which costs a fifth of a query over the array; longer arrays, and any of
-- another shape, are summed by that query as before.
create function sum_of_all(amounts bigint[]) returns bigint
  language sql immutable parallel safe
  return (select coalesce(sum(amount), 0)::bigint from unnest(amounts) as amount);

create or replace function sum_of(amounts bigint[]) returns bigint
  language sql immutable parallel safe
  return case when array_ndims(amounts) = 1 and array_upper(amounts, 1) = cardinality(amounts)
      and cardinality(amounts) <= 8
    then coalesce(amounts[1], 0) + coalesce(amounts[2], 0) + coalesce(amounts[3], 0)
      + coalesce(amounts[4], 0) + coalesce(amounts[5], 0) + coalesce(amounts[6], 0)
      + coalesce(amounts[7], 0) + coalesce(amounts[8], 0)
    else sum_of_all(amounts) end;
