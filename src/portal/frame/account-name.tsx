type Props = {
  visit: { at(path: string): string };
  id: string;
  /** Names of accounts by id. */
  names: ReadonlyMap<string, string>;
};

/** Names an account to operators, with its id below. */
export function AccountName({ visit: { at }, id, names }: Props) {
  const name = names.get(id);
  if (name === undefined) return <>{id}</>;
  return (
    <>
      <a href={at(`/accounts/${id}`)}>
        <bdi>{name}</bdi>
      </a>
      <span class="aside">{id}</span>
    </>
  );
}
