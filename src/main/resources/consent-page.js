const signIn = document.getElementById('sign-in');
const consent = document.getElementById('consent');
const problem = document.getElementById('problem');
let token = '';

async function call(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) {
    headers.Authorization = 'Bearer ' + token;
  }
  const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(consent.dataset.api + path, options);
  const json = await answer.json();
  if (!answer.ok) {
    throw new Error(json.error_description || json.message || (json.params && json.params.message)
      || 'E-mail or password is wrong.');
  }
  return json;
}

function onSubmit(form, work) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    problem.textContent = '';
    try {
      await work(new FormData(form));
      button.disabled = false;
    } catch (failure) {
      button.disabled = false;
      problem.textContent = failure.message;
      (form.elements.password || form.elements.project).focus();
    }
  });
}

onSubmit(signIn, async (fields) => {
  const session = await call('/v1/authentication/sign-in',
    { email: fields.get('email'), password: fields.get('password') });
  await choose(session.token, `${session.firstName} ${session.lastName}`);
});

document.getElementById('elsewhere').search =
  new URLSearchParams({ from: location.pathname + location.search }).toString();

async function choose(known, who) {
  token = known;
  const projects = await call('/v1/projects?limit=1000');
  const only = consent.dataset.project;
  if (only) {
    consent.elements.project.options.length = 0;
  }
  for (const project of projects.data) {
    if (!only || project.id === only) {
      consent.elements.project.add(new Option(project.displayName, project.id));
    }
  }
  document.getElementById('who').textContent = who;
  signIn.hidden = true;
  consent.hidden = false;
  consent.elements.project.focus();
}

// Whoever comes from the sign-in page is signed in; a session that has ended is asked for again.
const kept = sessionStorage.getItem('token');
if (kept) {
  choose(kept, sessionStorage.getItem('who')).catch(() => { token = ''; sessionStorage.removeItem('token'); });
}

document.getElementById('other').addEventListener('click', () => {
  sessionStorage.removeItem('token');
  location.reload();
});

onSubmit(consent, async (fields) => {
  const body = { authRequestId: consent.dataset.request };
  if (fields.get('project')) {
    body.projectId = fields.get('project');
  }
  const answer = await call('/v1/mcp-oauth/approve', body);
  location.href = answer.redirectUrl;
});
