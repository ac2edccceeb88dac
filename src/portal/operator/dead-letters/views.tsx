import type { ComponentChildren } from 'preact';
import type { DeadLetter } from '../../../connectors/index.ts';
import { Facts, Section } from '../../../platform/pages/components/parts.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { letterTexts } from './texts.ts';

export function columnsOf(lang: Lang) {
  const texts = letterTexts[lang];
  return {
    id: { title: texts.number },
    connector: { title: texts.connector },
    heard_at: { title: texts.heard },
    state: { title: texts.state, says: texts.states },
  };
}

export function onePage(
  { lang, at }: ServiceVisit,
  letter: DeadLetter,
  { replay, discard }: { replay: ComponentChildren; discard: ComponentChildren },
): Page {
  const texts = letterTexts[lang];
  return {
    title: texts.one({ id: letter.id }),
    body: (
      <>
        <PageHead
          title={texts.one({ id: letter.id })}
          up={{ href: at('/letters'), label: texts.title }}
        />
        <Facts
          items={[
            [texts.connector, <bdi>{letter.connector}</bdi>],
            [texts.heard, momentText(lang, letter.heard_at)],
            [texts.state, texts.states[letter.state]],
            [
              texts.fault,
              <code class="code" lang="en">
                {letter.fault}
              </code>,
            ],
            [texts.body, <code class="code">{letter.body}</code>],
            ...(letter.decided_at === null
              ? []
              : ([
                  [texts.decided, momentText(lang, letter.decided_at)],
                  [texts.by, <bdi>{letter.decided_by}</bdi>],
                  [texts.note, <bdi>{letter.note}</bdi>],
                ] as const)),
          ]}
        />
        {letter.state === 'open' && replay && (
          <>
            <Section title={texts.replay} id="replay">
              <p>{texts.replayLead}</p>
              {replay}
            </Section>
            <Section title={texts.discard} id="discard">
              {discard}
            </Section>
          </>
        )}
      </>
    ),
  };
}
