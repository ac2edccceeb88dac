import { Badge, Facts, Section } from '../../../platform/pages/components/parts.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { type Health, mostCounted } from './model.ts';
import { healthTexts } from './texts.ts';

type Props = { lang: Lang; machine: Health['machine'] };

function sizeText(lang: Lang, bytes: number): string {
  const gib = bytes / 1024 ** 3;
  const text = gib >= 10 ? String(Math.floor(gib)) : (Math.floor(gib * 10) / 10).toFixed(1);
  return `${lang === 'es' ? text.replace('.', ',') : text} GiB`;
}

const State = ({ lang, bad }: { lang: Lang; bad: boolean }) =>
  bad ? (
    <Badge tone="bad">{healthTexts[lang].look}</Badge>
  ) : (
    <Badge tone="good">{healthTexts[lang].good}</Badge>
  );

function Followers({ lang, machine: { server } }: Props) {
  const texts = healthTexts[lang];
  if (server.followers.length === 0) return <>{texts.noFollowers}</>;
  return (
    <ul class="changes">
      {server.followers.map(({ name, state, lag_seconds: lag }, index) => (
        <li key={`${name} ${index}`}>
          {name} {state} {lag === null ? texts.noLag : texts.lag({ seconds: Math.round(lag) })}
        </li>
      ))}
    </ul>
  );
}

export function Machine({ lang, machine }: Props) {
  const texts = healthTexts[lang];
  const { disk, vault, server, fullDisk, crowded } = machine;
  const waiting = vault.waiting > mostCounted ? `${mostCounted}+` : String(vault.waiting);
  const since =
    vault.since === null ? texts.keyFirst : texts.keySince({ when: momentText(lang, vault.since) });
  return (
    <Section id="machine" title={texts.machine}>
      <Facts
        items={[
          ...disk.map(
            ({ folder, room }) =>
              [
                texts.disk,
                <>
                  {room === null
                    ? texts.noRoom
                    : texts.room({
                        free: sizeText(lang, room.free),
                        total: sizeText(lang, room.total),
                      })}{' '}
                  <State lang={lang} bad={fullDisk.includes(folder)} />{' '}
                  <code class="aside">{folder}</code>
                </>,
              ] as const,
          ),
          [
            texts.vaultKey,
            <>
              <code>{vault.keyId}</code>, {since}
            </>,
          ],
          [
            texts.rewrap,
            <>
              {vault.waiting === 0 ? texts.rewrapped : texts.toRewrap({ count: waiting })}{' '}
              <State lang={lang} bad={vault.waiting > 0} />
            </>,
          ],
          [
            texts.connections,
            <>
              {texts.used({ used: server.connections, most: server.most })}{' '}
              <State lang={lang} bad={crowded} />
            </>,
          ],
          [texts.followers, <Followers lang={lang} machine={machine} />],
        ]}
      />
    </Section>
  );
}
