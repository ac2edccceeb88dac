import type { ComponentChildren } from 'preact';
import { Form } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import type { Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';

type FormProps = {
  lang: Lang;
  action: string;
  token?: string;
  /** Fault of the whole form. It does not reveal which part is wrong. */
  fault?: string | undefined;
  hidden?: Readonly<Record<string, string>>;
  submit: string;
  children?: ComponentChildren;
};

/** Renders a form about the user's own sign-in. */
export function OwnForm({ fault, hidden = {}, children, ...rest }: FormProps) {
  return (
    <Form {...rest}>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fault !== undefined && <Notice tone="bad" text={fault} />}
      {children}
    </Form>
  );
}

type Asking = FormProps & {
  title: string;
  lead?: ComponentChildren;
  /** A note on the success of the previous step. */
  done?: string | undefined;
  status?: number | undefined;
  after?: ComponentChildren;
};

/** Renders a page that asks for one thing before it continues. */
export function askPage({ title, lead, done, status = 200, after, ...form }: Asking): Page {
  return {
    title,
    status,
    body: (
      <>
        <PageHead title={title} lead={lead} />
        {done !== undefined && <Notice tone="good" text={done} />}
        <OwnForm {...form} />
        {after}
      </>
    ),
  };
}

type Offering = Pick<Asking, 'title' | 'lead' | 'done' | 'fault' | 'status'> & {
  offer: ComponentChildren;
};

/** Renders a page with `offer` in place of a form. */
export function offerPage({ title, lead, done, fault, status = 200, offer }: Offering): Page {
  return {
    title,
    status,
    body: (
      <>
        <PageHead title={title} lead={lead} />
        {done !== undefined && <Notice tone="good" text={done} />}
        {fault !== undefined && <Notice tone="bad" text={fault} />}
        {offer}
      </>
    ),
  };
}
