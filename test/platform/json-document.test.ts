import { expect, test } from 'vitest';
import { createItemReader } from '../../src/kernel/json-items.ts';
import { MalformedDocument } from '../../src/kernel/malformed-document.ts';
import { documentText } from '../../src/platform/json-document.ts';

const bounds = { maxItems: 2, maxItemBytes: 40, maxDepth: 3, maxValues: 8, maxNumberLength: 9 };

function faultOf(document: string): MalformedDocument {
  const reader = createItemReader({ list: 'data', ...bounds });
  try {
    reader.push(new TextEncoder().encode(document));
    reader.end();
  } catch (error) {
    if (error instanceof MalformedDocument) return error;
  }
  throw new Error('the document was accepted');
}

test.each([
  ['{"data":[', 'ends at byte 9', 'termina en el byte 9'],
  ['[]', 'byte 0 does not start one', 'en el byte 0 no empieza ninguno'],
  ['{"data":[]} {}', 'more follows at byte 12', 'sigue algo más, en el byte 12'],
  ['{"data":[],}', 'UTF-8 outside "data".', 'UTF-8 fuera de "data".'],
  ['{"n":01}', 'not valid JSON in UTF-8.', 'no es JSON válido en UTF-8.'],
  [`{"text":"${'x'.repeat(40)}"}`, 'at most 40 bytes', 'hasta 40 bytes'],
  ['{"data":{}}', '"data" must be an array.', '"data" tiene que ser una lista.'],
  ['{"data":[],"data":[]}', 'a second time at byte 17', 'por segunda vez en el byte 17'],
  ['{"data":[}', 'closes at byte 9', 'En el byte 9 se cierra'],
  ['{"data":[1,2,3]}', 'at most 2 items', 'hasta 2 ítems'],
  ['{"data":[1,x]}', 'item with index 1', 'ítem de índice 1'],
  [`{"data":["${'x'.repeat(40)}"]}`, 'more than 40 bytes', 'más de 40 bytes'],
  ['{"data":[{"a":1,"a":2}]}', 'names "a" twice', 'nombra "a" dos veces'],
  ['{"data":[[[[[1]]]]]}', 'More than 3 objects', 'más de 3 objetos'],
  ['{"data":[1234567890]}', 'more than 9 characters', 'más de 9 caracteres'],
  ['{"data":[[1,2,3,4,5,6,7,8,9]]}', 'more than 8 names', 'más de 8 nombres'],
])('says in both languages what is wrong with %s', (document, english, spanish) => {
  const text = documentText(faultOf(document));
  expect(text.in('en')).toContain(english);
  expect(text.in('es')).toContain(spanish);
});
