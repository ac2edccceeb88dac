import { type FieldValues, formVersion, OutdatedForm } from '../../platform/form-version.ts';
import { type FieldFault, statusOf } from '../../platform/pages/components/form.tsx';
import { Facts, Notice } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { layoutTexts } from './layout-texts.ts';
import type { Answer } from './visit.ts';

/** State of a form that is shown again. */
export interface RepeatedForm {
  /** The version that the form was filled in against. */
  seen: string;
  /** The changed values. Null without a concurrent change. */
  overtaken: FieldValues | null;
}

/** Returns the state of a form that is shown for the first time. */
export const newForm = (values: FieldValues): RepeatedForm => ({
  seen: formVersion(values),
  overtaken: null,
});

/** Reads the version in a posted form. */
export const seenIn = (posted: URLSearchParams): RepeatedForm => ({
  seen: posted.get('seen') ?? '',
  overtaken: null,
});

/** Returns the HTTP status of a form that is shown again. */
export const statusOfAgain = (
  { overtaken }: Pick<RepeatedForm, 'overtaken'>,
  faults: readonly FieldFault[],
): number => (overtaken === null ? statusOf(faults) : 409);

/**
 * Runs a form's action. If the values changed since the form was loaded, shows it again with the
 * changes.
 */
export async function unlessOvertaken(
  does: () => Promise<Answer>,
  again: (again: RepeatedForm) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await does();
  } catch (error) {
    if (!(error instanceof OutdatedForm)) throw error;
    return await again({ seen: error.seen, overtaken: error.changed });
  }
}

type Props = {
  lang: Lang;
  changed: FieldValues | null;
  labels: Readonly<Record<string, string>>;
  /** Formats values that are not plain text. */
  shows?: Readonly<Record<string, (text: string) => string>>;
};

/** Lists concurrent changes above a form. */
export function OutdatedFormNotice({ lang, changed, labels, shows = {} }: Props) {
  if (changed === null) return null;
  const { title, lead, nothing } = layoutTexts[lang].overtaken;
  return (
    <Notice tone="bad" title={title}>
      <p>{lead}</p>
      <Facts
        items={Object.entries(changed).map(([field, text]) => [
          labels[field] ?? field,
          <bdi key={field} class="lines">
            {text === '' ? nothing : (shows[field]?.(text) ?? text)}
          </bdi>,
        ])}
      />
    </Notice>
  );
}
