import { nothingOffered, offerFor } from '../composition/offer.ts';
import type { Config } from '../config/index.ts';
import type { DemoOutcome } from '../demo.ts';
import { formatDay } from '../kernel/dates.ts';
import type { Service } from '../main.ts';
import { offeredChannels } from '../money/channels/index.ts';
import type { Demo } from '../seed.ts';
import { say } from './print.ts';

const exampleBody = (today: Temporal.PlainDate): string =>
  JSON.stringify({
    payment_request: {
      description: 'Cuota de diciembre',
      first_due_date: formatDay(today.add({ days: 10 })),
      first_total: 1430.5,
      payer_name: 'Ana Pérez',
    },
  });

const demoSaid: Readonly<Record<DemoOutcome | 'begins', string>> = {
  begins: 'demo        three months of a cooperative; this takes up to half a minute',
  seeded: 'demo        ready; the clock of this sandbox is three months ahead',
  resumed: 'demo        was interrupted and is now complete; the clock is three months ahead',
  there: 'demo        already exists; nothing changed',
  left_alone:
    'demo        skipped, because this database already has data; start with another DATA_DIR',
  late: 'demo        was interrupted too long ago to resume; start with another DATA_DIR or database',
};

export const sayDemo = (outcome: DemoOutcome): void => say(demoSaid[outcome]);

/**
 * Returns the line with a new sandbox user's address and password, which is shown only at this
 * start. Empty if there is no new user.
 */
function signInOf({ origin, demo }: Pick<StartFacts, 'origin' | 'demo'>): string[] {
  if (!demo?.user) return [];
  const { email, password } = demo.user;
  return [`portal      ${origin}/portal  (${email}, password ${password})`];
}

/**
 * Announces the demo before it is complete, with the sign-in, which an interrupted start would
 * otherwise never show.
 */
export const sayDemoBegins = (startFacts: StartFacts): void =>
  say([...signInOf(startFacts), demoSaid.begins]);

export interface StartFacts {
  origin: string;
  metricsUrl: string;
  demo: Demo | null;
  /** Today on the business clock. */
  today: string;
}

export const startFactsOf = ({ origin, metricsUrl, demo, parts }: Service): StartFacts => ({
  origin,
  metricsUrl,
  demo,
  today: parts.clocks.business.today().toString(),
});

/** Greets newcomers with every address and a first call to paste. */
export function welcome({ origin, metricsUrl, demo, today }: StartFacts, config: Config): void {
  const offer = offerFor(config);
  const offered = offeredChannels(offer);
  const lines = [
    `environment ${config.ENVIRONMENT}, roles ${config.ROLES.join(',')}`,
    `channels    ${offered.join(', ') || nothingOffered(offer)}`,
    `API         ${origin}  (reference: ${origin}/docs)`,
    `metrics     ${metricsUrl}`,
  ];
  lines.push(...signInOf({ origin, demo }));
  if (demo) {
    const body = exampleBody(Temporal.PlainDate.from(today));
    lines.push(`account     ${demo.accountId}`);
    if (demo.key === null) {
      lines.push(
        'API key     shown only once; to create another one:',
        `get a key   export KEY=$(npx recaudo keys create --account ${demo.accountId})`,
      );
    } else {
      lines.push(`API key     ${demo.key}`, `paste once  export KEY=${demo.key}`);
    }
    lines.push(
      'try         ' +
        `curl -sS ${origin}/payment-request -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  say(lines);
  say(`ready ${origin}`);
}
