import type { Base } from '../base.ts';
import type { Operation } from '../operations.ts';
import type { Endpoints } from './endpoint.ts';
import { form, type Members } from './form.ts';

/** An operation that needs only the common parts. */
// biome-ignore lint/suspicious/noExplicitAny: each has an outcome of its own, which only it reads
export type BaseOperation = Operation<any, Base, any, any>;

const formOf = (members: [string, Members[string]][]) =>
  members.length > 0 ? form(Object.fromEntries(members)) : null;

/** Serves an operation from its declaration: path, form, refusals, response. */
export async function serveOperation<M extends Members, Verb, Outcome>(
  endpoints: Endpoints,
  { name, api, members, repeat, run }: Operation<M, Verb, Outcome>,
  verb: Verb,
): Promise<void> {
  if (api === undefined) throw new Error(`${name} is not in the API`);
  const { answers, wrapper = null, example: _, ...endpoint } = api;
  const { account, ...own } = members as Members;
  const isInPath = ([member]: [string, unknown]) => endpoint.path.includes(`/:${member}`);
  const named = Map.groupBy(Object.entries(own), isInPath);
  const params = formOf(named.get(true) ?? []);
  const body = formOf(named.get(false) ?? []);
  const { status, schema, presents } = await answers();
  const add = repeat === 'claim' ? endpoints.addChanging : endpoints.add;
  add<object, void, object>(
    {
      ...endpoint,
      ...(params && { params }),
      ...(body && { body: { wrapper, form: body, context: () => undefined } }),
      answer: { status, schema },
    },
    async (call) => {
      const { accountId, actor } = call.ctx;
      const input = { ...(account && { account: accountId }), ...call.params, ...call.body };
      const outcome = await run(verb, input as never, actor);
      return { status, body: presents(outcome, input as never) };
    },
  );
}
