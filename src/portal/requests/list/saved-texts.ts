import { catalog } from '../../../language/catalog.ts';
import en from './saved-texts.en.json' with { type: 'json' };
import es from './saved-texts.es.json' with { type: 'json' };

export const savedTexts = catalog({ en, es }, { forgetOne: { name: 'text' } });
