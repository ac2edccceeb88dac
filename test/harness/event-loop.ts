/** Counts the turns that the event loop gives to other work while `work` runs. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  try {
    await work();
  } finally {
    clearImmediate(immediate);
  }
  return turns;
}
