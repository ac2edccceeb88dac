// Lets users drop a file on its field, and displays its name and size before it is sent.

const units = [
  [1024 * 1024, 'MB'],
  [1024, 'kB'],
];

function sizeText(bytes) {
  const [size, unit] = units.find(([least]) => bytes >= least) ?? [1, 'B'];
  const text = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
  return `${text.format(bytes / size)} ${unit}`;
}

function watch(place) {
  const input = place.querySelector('input[type=file]');
  const chosen = place.querySelector('[data-upload-chosen]');
  const tell = () => {
    const files = [...input.files].map((file) => `${file.name} (${sizeText(file.size)})`);
    chosen.textContent = files.join(', ');
  };
  place.querySelector('[data-upload-drop]').hidden = false;
  input.addEventListener('change', tell);
  for (const kind of ['dragenter', 'dragover']) {
    place.addEventListener(kind, (event) => {
      event.preventDefault();
      place.classList.add('upload-over');
    });
  }
  place.addEventListener('dragleave', () => place.classList.remove('upload-over'));
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    place.classList.remove('upload-over');
    if (event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    tell();
  });
}

export function watchUploads(root) {
  for (const place of root.querySelectorAll('[data-upload]')) watch(place);
}
