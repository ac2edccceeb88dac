import { Refusal } from '../../../platform/errors.ts';
import { text } from '../../../platform/http/fields.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import { EmptyState, Notice } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import type { SavedFilter } from '../../../users/index.ts';
import { formTo } from '../../frame/form-to.ts';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { type ListQuery, queryOf } from './query.ts';
import { savedTexts } from './saved-texts.ts';
import { listTexts } from './texts.ts';

type SavedProps = { visit: AccountVisit; asked: ListQuery; saved: readonly SavedFilter[] };

/** Renders a user's saved searches, and the form that saves the current one. */
export function SavedFilters({ visit, asked, saved }: SavedProps) {
  const { lang, at } = visit;
  const texts = savedTexts[lang];
  const now = queryOf(asked.values);
  const action = at('/requests/filters');
  const isSaved = saved.some(({ query }) => query === now);
  const isNew = now !== '' && asked.search !== null && !isSaved;
  if (saved.length === 0 && !isNew) return null;
  return (
    <section class="saved" aria-label={texts.title}>
      {saved.length > 0 && (
        <ul class="actions bare">
          {saved.map(({ name, query }) => (
            <li key={name}>
              <a
                class="button button-quiet"
                href={at('/requests') + query}
                aria-current={query === now ? 'true' : undefined}
              >
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
          <li>
            <a class="button button-quiet" href={action}>
              {texts.manage}
            </a>
          </li>
        </ul>
      )}
      {isNew && (
        <details class="group">
          <summary>{texts.keep}</summary>
          <Form {...formTo(visit, action)} submit={texts.submit}>
            <input type="hidden" name="query" value={now} />
            <TextField lang={lang} name="name" label={texts.name} maxLength={longestName} />
          </Form>
        </details>
      )}
    </section>
  );
}

const longestName = 60;
const nameField = text({ max: longestName });

/** Returns the name in a form, or null. */
export function nameIn(posted: URLSearchParams): string | null {
  const read = nameField.parse((posted.get('name') ?? '').trim());
  return read.ok ? read.value : null;
}

interface ManageModel {
  saved: readonly SavedFilter[];
  /** The search that was not saved, and why. */
  refused?: { query: string; name: string; why: 'name' | 'query' | Refusal };
}

/** Renders all saved searches, to use or to delete. */
export function filtersPage(visit: AccountVisit, { saved, refused }: ManageModel): Page {
  const { lang, at } = visit;
  const texts = savedTexts[lang];
  const fault = refused?.why === 'name' ? texts.nameFault : undefined;
  return {
    title: texts.title,
    ...(refused && { status: refused.why instanceof Refusal ? refused.why.status : 400 }),
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/requests'), label: listTexts[lang].title }}
        />
        {refused && refused.why !== 'name' && (
          <Notice tone="bad" text={refused.why === 'query' ? texts.queryFault : texts.many} />
        )}
        {fault !== undefined && (
          <Form
            {...formTo(visit, at('/requests/filters'))}
            submit={texts.submit}
            faults={[{ field: 'name', label: texts.name, text: fault }]}
          >
            <input type="hidden" name="query" value={refused?.query} />
            <TextField
              lang={lang}
              name="name"
              label={texts.name}
              value={refused?.name ?? ''}
              maxLength={longestName}
              fault={fault}
            />
          </Form>
        )}
        <FilterTable visit={visit} saved={saved} />
      </>
    ),
  };
}

function FilterTable({ visit, saved }: { visit: AccountVisit; saved: readonly SavedFilter[] }) {
  const { lang, at, token } = visit;
  const texts = savedTexts[lang];
  const forget = at('/requests/filters/forget');
  return (
    <Table
      lang={lang}
      caption={texts.title}
      captionUnseen
      rows={saved}
      empty={<EmptyState title={texts.none} text={texts.noneWhy} />}
      columns={[
        {
          key: 'name',
          title: texts.name,
          heads: true,
          cell: ({ name, query }) => (
            <a href={at('/requests') + query}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        {
          key: 'forget',
          title: texts.forget,
          cell: ({ name }) => (
            <form method="post" action={forget}>
              <input type="hidden" name="token" value={token(forget)} />
              <input type="hidden" name="name" value={name} />
              <button
                type="submit"
                class="button button-quiet"
                aria-label={texts.forgetOne({ name })}
              >
                {texts.forget}
              </button>
            </form>
          ),
        },
      ]}
    />
  );
}
