import { Badge, EmptyState, Facts, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Machine } from './machine.tsx';
import { type ConnectorHealth, type Health, mostCounted } from './model.ts';
import { Sweeps } from './sweeps.tsx';
import { healthTexts } from './texts.ts';

export function healthPage(visit: ServiceVisit, health: Health): Page {
  const texts = healthTexts[visit.lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <DatabaseHealth visit={visit} health={health} />
        <Queues visit={visit} health={health} />
        <Machine lang={visit.lang} machine={health.machine} />
        <Sweeps lang={visit.lang} sweeps={health.sweeps} />
        <Connectors visit={visit} health={health} />
      </>
    ),
  };
}

type HealthProps = { visit: ServiceVisit; health: Health };

function State({ visit: { lang }, bad }: { visit: ServiceVisit; bad: boolean }) {
  const texts = healthTexts[lang];
  return bad ? <Badge tone="bad">{texts.look}</Badge> : <Badge tone="good">{texts.good}</Badge>;
}

function DatabaseHealth({ visit, health }: HealthProps) {
  const texts = healthTexts[visit.lang];
  const { missingMigrations: missing, secondsApart, clockBad } = health;
  const stateText = (text: string, bad: boolean) => (
    <>
      {text} <State visit={visit} bad={bad} />
    </>
  );
  return (
    <Section id="database" title={texts.database}>
      <Facts
        items={[
          [texts.database, stateText(texts.answers, false)],
          [
            texts.schema,
            stateText(
              missing === 0 ? texts.schemaGood : texts.schemaBad({ count: missing }),
              missing > 0,
            ),
          ],
          [texts.clock, stateText(texts.apart({ seconds: secondsApart }), clockBad)],
        ]}
      />
    </Section>
  );
}

function Queues({ visit, health: { queues } }: HealthProps) {
  const { lang } = visit;
  const texts = healthTexts[lang];
  return (
    <Section id="queues" title={texts.queues}>
      <Table
        lang={lang}
        caption={texts.queues}
        captionUnseen
        rows={queues}
        empty={null}
        columns={[
          {
            key: 'queue',
            title: texts.queue,
            heads: true,
            cell: ({ name }) => texts.queueNames[name],
          },
          {
            key: 'count',
            title: texts.count,
            number: true,
            cell: ({ count }) => (count > mostCounted ? `${mostCounted}+` : count),
          },
          {
            key: 'state',
            title: texts.state,
            cell: ({ bad }) => <State visit={visit} bad={bad} />,
          },
        ]}
      />
    </Section>
  );
}

function Connectors({ visit, health: { connectors } }: HealthProps) {
  const { lang } = visit;
  const texts = healthTexts[lang];
  return (
    <Section id="connectors" title={texts.connectors}>
      <Table
        lang={lang}
        caption={texts.connectors}
        captionUnseen
        rows={connectors}
        empty={<EmptyState title={texts.noConnectors} text={texts.noConnectorsWhy} />}
        columns={[
          { key: 'name', title: texts.connector, heads: true, cell: ({ name }) => name },
          { key: 'channels', title: texts.channels, cell: (one) => one.channels.join(', ') },
          {
            key: 'version',
            title: texts.version,
            cell: ({ version }) => version ?? <Badge tone="wait">{texts.unheard}</Badge>,
          },
          {
            key: 'heard',
            title: texts.heard,
            cell: ({ lastAnswer }) => <LastReply visit={visit} lastAnswer={lastAnswer} />,
          },
          {
            key: 'alarms',
            title: texts.alarms,
            cell: ({ alarms }) => <Alarms visit={visit} alarms={alarms} />,
          },
        ]}
      />
    </Section>
  );
}

type LastReplyProps = { visit: ServiceVisit; lastAnswer: ConnectorHealth['lastAnswer'] };

/** Shows the connector's last answer to a health check. */
function LastReply({ visit: { lang }, lastAnswer }: LastReplyProps) {
  const texts = healthTexts[lang];
  if (lastAnswer === null) return <Badge tone="wait">{texts.unheard}</Badge>;
  return (
    <>
      <Badge tone={lastAnswer.fault === null ? 'good' : 'bad'}>
        {lastAnswer.fault === null ? texts.answers : texts.silent}
      </Badge>{' '}
      {momentText(lang, lastAnswer.at)}
      {lastAnswer.fault !== null && (
        <span class="aside" lang="en">
          {lastAnswer.fault}
        </span>
      )}
    </>
  );
}

type AlarmsProps = { visit: ServiceVisit; alarms: ConnectorHealth['alarms'] };

function Alarms({ visit: { lang }, alarms }: AlarmsProps) {
  const texts = healthTexts[lang];
  if (alarms.length === 0) return <>{texts.noAlarms}</>;
  return (
    <ul class="changes">
      {alarms.map(({ channel, kind, message, times, last_at: last, off_until: off }) => (
        <li key={`${channel} ${kind}`}>
          <Badge tone={off === null ? 'wait' : 'bad'}>{kind}</Badge> {channel} {message} (
          {texts.times({ times, when: momentText(lang, last) })}
          {off !== null && `; ${texts.off({ until: momentText(lang, off) })}`})
        </li>
      ))}
    </ul>
  );
}
