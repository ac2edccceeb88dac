import { readActor } from '../../platform/actor.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AuthoredChange } from './changes.ts';
import { actName, entityName, fieldName, valueName } from './labels.ts';
import { actTexts } from './texts.ts';

/** Returns an actor's name. `names` maps users' ids to names. */
export function whoText(lang: Lang, actor: string, names: ReadonlyMap<number, string>): string {
  const texts = actTexts[lang];
  const who = readActor(actor);
  switch (who.kind) {
    case 'user':
      return names.get(who.id) ?? texts.user({ id: who.id });
    case 'operator':
      return texts.console({ user: who.user, host: who.host, command: who.command });
    case 'key':
      return texts.key({ prefix: who.prefix });
    case 'connector':
      return texts.connector({ name: who.name });
    case 'rail':
      return texts.rail({ name: who.name });
    case 'payer':
    case 'system':
      return texts[who.kind];
  }
}

/** Returns an act's name. A request that does not expire by itself was withdrawn. */
export const actText = (lang: Lang, { type, actor }: { type: string; actor: string }): string =>
  type === 'payment_request.expired' && readActor(actor).kind !== 'system'
    ? actTexts[lang].withdrawn({ thing: entityName(lang, 'payment_request') })
    : actName(lang, type);

const shownAtOnce = 4;

/** Lists the changed fields of an act. Folds all but the first ones. */
export function Changes({ lang, changes }: { lang: Lang; changes: readonly AuthoredChange[] }) {
  if (changes.length === 0) return <span aria-hidden="true">–</span>;
  const rest = changes.slice(shownAtOnce);
  return (
    <>
      <ChangeList lang={lang} changes={changes.slice(0, shownAtOnce)} />
      {rest.length > 0 && (
        <details>
          <summary>{actTexts[lang].more({ count: rest.length })}</summary>
          <ChangeList lang={lang} changes={rest} />
        </details>
      )}
    </>
  );
}

function ChangeList({ lang, changes }: { lang: Lang; changes: readonly AuthoredChange[] }) {
  const texts = actTexts[lang];
  return (
    <ul class="changes">
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          {fieldName(lang, name)}:{' '}
          {before !== undefined && (
            <>
              <span class="unseen">{texts.was} </span>
              <del>
                <bdi>{valueName(lang, before)}</bdi>
              </del>{' '}
              <span aria-hidden="true">→ </span>
              <span class="unseen">{texts.becomes} </span>
            </>
          )}
          <bdi>{valueName(lang, after)}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Formats the changed fields of an act as one text, for files. */
export const changesText = (lang: Lang, changes: readonly AuthoredChange[]): string =>
  changes
    .map(({ name, before, after }) => {
      const was = before === undefined ? '' : `${valueName(lang, before)} → `;
      return `${fieldName(lang, name)}: ${was}${valueName(lang, after)}`;
    })
    .join('; ');
