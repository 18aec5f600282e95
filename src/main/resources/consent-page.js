const signIn = document.getElementById('sign-in');
const consent = document.getElementById('consent');
const problem = document.getElementById('problem');

// The session is a cookie that no script sees; the header says that a page of this server asks.
async function call(path, body) {
  const headers = { 'Content-Type': 'application/json', 'X-Session': 'cookie' };
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
  await choose(session);
});

document.getElementById('elsewhere').search =
  new URLSearchParams({ from: location.pathname + location.search }).toString();

async function choose(person) {
  const projects = await call('/v1/projects?limit=1000');
  const only = consent.dataset.project;
  consent.elements.project.options.length = 0;
  for (const project of projects.data) {
    if (!only || project.id === only) {
      consent.elements.project.add(new Option(project.displayName, project.id));
    }
  }
  // One project is what is asked for first: whoever means all of them says so.
  if (!only) {
    consent.elements.project.add(new Option('All my projects', ''));
  }
  document.getElementById('who').textContent = `${person.firstName} ${person.lastName}`;
  signIn.hidden = true;
  consent.hidden = false;
  consent.elements.project.focus();
}

// Whoever comes from the sign-in page is signed in; a session that has ended is asked for again.
call('/v1/users/me').then(choose).catch(() => {});

document.getElementById('other').addEventListener('click', async () => {
  await fetch(consent.dataset.api + '/v1/authentication/sign-out', { method: 'POST' });
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
