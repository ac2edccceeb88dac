import type { MandateKind } from '../../mandates/index.ts';
import { LongTextField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import { type FieldWords, OnceField } from '../frame/creating.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { newTexts } from './new-texts.ts';
import { kinds, segmentOf } from './places.ts';
import { mandateTexts } from './texts.ts';

type FieldName = keyof (typeof newTexts)['es']['fields'];

interface FieldLook {
  long?: true;
  optional?: true;
  type?: 'email' | 'text';
  digits?: true;
  /** Never shown again. */
  secret?: true;
}

const shared = {
  adhesion_holder_name: {},
  email: { type: 'email' },
  external_reference: { optional: true },
  description: { long: true },
} as const satisfies Partial<Record<FieldName, FieldLook>>;

/** The fields of each kind, in order. */
export const fieldsOf: Readonly<Record<MandateKind, Partial<Record<FieldName, FieldLook>>>> = {
  adhesion: {
    ...shared,
    short_description: {},
    cbu_number: { digits: true },
    cbu_holder_name: {},
    cbu_holder_id_number: { digits: true },
  },
  card_adhesion: {
    ...shared,
    card_holder_name: {},
    card_number: { digits: true, optional: true, secret: true },
  },
};

export interface Refused {
  faults: readonly FieldFault[];
  /** The reason of a refusal that is no field's fault. */
  told?: string;
  status: number;
}

/** The form of a mandate; `refused`: why the last input made none. */
export function newPage(visit: AccountVisit, kind: MandateKind, refused?: Refused): Page {
  const { lang, at } = visit;
  const texts = newTexts[lang];
  const action = at(`/mandates/new/${segmentOf[kind]}`);
  return {
    title: texts.title[kind],
    status: refused?.status ?? 200,
    body: (
      <>
        <PageHead
          title={texts.title[kind]}
          lead={texts.lead}
          up={{ href: at('/mandates'), label: mandateTexts[lang].title }}
          actions={kinds
            .filter((other) => other !== kind)
            .map((other) => (
              <a key={other} href={at(`/mandates/new/${segmentOf[other]}`)}>
                {texts.other[other]}
              </a>
            ))}
        />
        {refused?.told !== undefined && (
          <Notice tone="bad">
            <p>{refused.told}</p>
          </Notice>
        )}
        <Form
          lang={lang}
          action={action}
          token={visit.token(action)}
          faults={refused?.faults ?? []}
          submit={texts.submit}
          back={at('/mandates')}
        >
          <OnceField visit={visit} />
          <Fields visit={visit} kind={kind} faults={refused?.faults ?? []} />
        </Form>
      </>
    ),
  };
}

type FieldsProps = { visit: AccountVisit; kind: MandateKind; faults: readonly FieldFault[] };

function Fields({ visit, kind, faults }: FieldsProps) {
  const { lang, posted } = visit;
  const fields: FieldWords<FieldName> = newTexts[lang].fields;
  const looks = Object.entries(fieldsOf[kind]) as [FieldName, FieldLook][];
  return (
    <>
      {looks.map(([name, { long, optional = false, type = 'text', digits, secret }]) => {
        const { label, hint } = fields[name];
        const field = {
          lang,
          name,
          label,
          optional,
          ...(hint !== undefined && { hint }),
          fault: faultIn(faults)(name),
          value: secret ? '' : (posted.get(name) ?? ''),
        };
        return long ? (
          <LongTextField key={name} {...field} rows={2} />
        ) : (
          <TextField
            key={name}
            {...field}
            type={type}
            autocomplete="off"
            inputMode={digits ? 'numeric' : 'text'}
          />
        );
      })}
    </>
  );
}
