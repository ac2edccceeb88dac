import type { MandateKind } from '../../mandates/index.ts';
import { CreatingField, CreatingForm, type FieldType, type Refused } from '../frame/creating.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { newTexts } from './new-texts.ts';
import { kinds, segmentOf } from './places.ts';
import { mandateTexts } from './texts.ts';

type FieldName = keyof (typeof newTexts)['es']['fields'];

const shared = {
  adhesion_holder_name: 'text',
  email: 'email',
  external_reference: 'text',
  description: 'long',
} as const satisfies Partial<Record<FieldName, FieldType>>;

const optional: readonly FieldName[] = ['external_reference', 'card_number'];

/** Fields of each kind, in order. */
export const fieldsOf: Readonly<Record<MandateKind, Partial<Record<FieldName, FieldType>>>> = {
  adhesion: {
    ...shared,
    short_description: 'text',
    cbu_number: 'digits',
    cbu_holder_name: 'text',
    cbu_holder_id_number: 'digits',
  },
  card_adhesion: { ...shared, card_holder_name: 'text', card_number: 'secret' },
};

/** Renders the form of a mandate, with the errors of refused input. */
export function newPage(visit: AccountVisit, kind: MandateKind, refused?: Refused): Page {
  const { lang, at } = visit;
  const texts = newTexts[lang];
  const types = Object.entries(fieldsOf[kind]) as [FieldName, FieldType][];
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
        <CreatingForm
          visit={visit}
          path={`/mandates/new/${segmentOf[kind]}`}
          submit={texts.submit}
          back={at('/mandates')}
          refused={refused}
        >
          {types.map(([name, type]) => (
            <CreatingField
              key={name}
              visit={visit}
              name={name}
              type={type}
              words={texts.fields[name]}
              optional={optional.includes(name)}
              refused={refused}
            />
          ))}
        </CreatingForm>
      </>
    ),
  };
}
