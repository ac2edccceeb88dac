import { catalog } from '../../language/catalog.ts';
import en from './provider-texts.en.json' with { type: 'json' };
import es from './provider-texts.es.json' with { type: 'json' };

const name = { name: 'text' } as const;
export const providerTexts = catalog(
  { en, es },
  {
    signIn: name,
    confirm: name,
    accept: name,
    only: name,
    signOutThere: name,
    notLinked: name,
    linked: { name: 'text', when: 'text' },
  },
);
