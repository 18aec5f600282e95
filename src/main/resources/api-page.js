'use strict';
// What the pages of the API document do besides being read: search, samples with one's own values, and trying.
const search = document.getElementById('search');
const found = document.getElementById('found');
const areas = [...document.querySelectorAll('nav section')];
const entries = [...document.querySelectorAll('nav li')].map((item) => ({
  item,
  text: `${item.title} ${item.textContent} ${item.closest('section').querySelector('h2').textContent}`.toLowerCase(),
}));

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { item, text } of entries) {
    item.hidden = !words.every((word) => text.includes(word));
    count += item.hidden ? 0 : 1;
  }
  for (const area of areas) area.hidden = !area.querySelector('li:not([hidden])');
  found.textContent = words.length === 0 ? '' : `${count} of ${entries.length} operations`;
}

search.addEventListener('input', () => {
  show();
  sessionStorage.setItem('api-search', search.value);
});
search.addEventListener('keydown', (event) => {
  const first = document.querySelector('nav section:not([hidden]) li:not([hidden]) a');
  if (event.key === 'Enter' && first) first.click();
  if (event.key === 'Escape') {
    search.value = '';
    search.dispatchEvent(new Event('input'));
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
    event.preventDefault();
    search.focus();
  }
});
search.value = sessionStorage.getItem('api-search') ?? '';
show();
const here = document.querySelector(`nav a[href="${location.pathname}"]`);
if (here) {
  here.setAttribute('aria-current', 'page');
  here.scrollIntoView({ block: 'center' });
}

const form = document.getElementById('try');
if (form) {
  const samples = [...document.querySelectorAll('.sample')].map((element) => ({ element, text: element.textContent }));
  const inputs = [...form.querySelectorAll('[data-in]')];

  const address = () => {
    const query = new URLSearchParams();
    let path = form.dataset.path;
    for (const input of inputs) {
      if (input.value === '' || input.dataset.in === 'form') continue;
      if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
      else query.append(input.name, input.value);
    }
    return path + (query.size > 0 ? `?${query}` : '');
  };

  const fill = () => {
    for (const { element, text } of samples) {
      element.textContent = text
        .replaceAll('http://localhost:8080', location.origin)
        .replaceAll(location.origin + form.dataset.path, location.origin + address());
    }
  };

  /** The fields of a form with files; nothing where the body is text, or none. */
  const fields = () => {
    const fields = new FormData();
    for (const input of inputs) {
      const value = input.type === 'file' ? input.files[0] : input.value;
      if (input.dataset.in === 'form' && value) fields.append(input.name, value);
    }
    return inputs.some((input) => input.dataset.in === 'form') ? fields : undefined;
  };

  const send = async () => {
    const headers = { 'X-Session': 'cookie' };
    const key = document.getElementById('key').value;
    const body = form.elements.body;
    if (key !== '') headers.Authorization = `Bearer ${key}`;
    if (body) headers['Content-Type'] = 'application/json';
    const begun = performance.now();
    const answer = await fetch(address(), { method: form.dataset.method, headers, body: body?.value ?? fields() });
    const text = await answer.text();
    return `${answer.status} ${answer.statusText} in ${Math.round(performance.now() - begun)} ms\n\n${pretty(text)}`;
  };

  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  form.addEventListener('input', fill);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = document.getElementById('answer');
    output.textContent = 'Sending …';
    try {
      output.textContent = await send();
    } catch (failure) {
      output.textContent = `No answer: ${failure.message}`;
    }
  });
  fill();
}
