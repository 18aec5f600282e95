const find = (id) => document.getElementById(id);
const prefix = find('page').dataset.prefix;
const query = new URLSearchParams(location.search);
const problem = find('problem');
const notice = find('notice');
const texts = {
  INVALID_OTP: 'This code or link is wrong, used or too old. Ask for another one.',
  INVALID_CREDENTIALS: 'E-mail or password is wrong.',
  INVALID_BEARER_TOKEN: 'This link is not complete or too old. Ask for another invitation.',
  ENTITY_NOT_FOUND: 'This invitation has been accepted already, or was taken back.',
  INVITATION_ONLY_SIGN_UP: 'You need an invitation to sign in here.',
  EXISTING_USER: 'There is an account with this address already: sign in instead.',
  EMAIL_AUTH_DISABLED: 'Signing in by e-mail is switched off here.',
  DOMAIN_NOT_ALLOWED: 'Addresses of this domain may not sign in here.',
  USER_IS_INACTIVE: 'This account is switched off.',
  EMAIL_IS_NOT_VERIFIED: 'Confirm your address first.',
};
// Which fields a refusal is about.
const culprits = {
  INVALID_OTP: ['code'],
  INVALID_CREDENTIALS: ['email', 'password'],
  INVITATION_ONLY_SIGN_UP: ['email'],
  EXISTING_USER: ['email'],
  EMAIL_AUTH_DISABLED: ['email'],
  DOMAIN_NOT_ALLOWED: ['email'],
  USER_IS_INACTIVE: ['email'],
  EMAIL_IS_NOT_VERIFIED: ['email'],
};

// The session is a cookie that no script sees; the header says that a page of this server asks.
async function call(path, body) {
  const headers = { 'Content-Type': 'application/json', 'X-Session': 'cookie' };
  const options = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(prefix + '/api' + path, options);
  const text = await answer.text();
  const json = text ? JSON.parse(text) : {};
  if (!answer.ok) {
    const text = texts[json.code] || json.message || (json.params && json.params.message) || 'That did not work.';
    throw Object.assign(new Error(text), { fields: culprits[json.code] || [] });
  }
  return json;
}

function tell(place, text) {
  problem.textContent = '';
  notice.textContent = '';
  place.textContent = text;
}

// Ties what went wrong to the fields that it is about, and leads to the last of them: the one to type again.
function blame(form, fields) {
  const inputs = [...form.querySelectorAll('input')];
  for (const input of inputs) {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  const guilty = inputs.filter((input) => fields.includes(input.name));
  for (const input of guilty) {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', 'problem');
  }
  return guilty.at(-1);
}

function onSubmit(id, work) {
  const form = find(id);
  if (!form) {
    return;
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button[type=submit]');
    button.disabled = true;
    tell(problem, '');
    blame(form, []);
    try {
      await work(Object.fromEntries(new FormData(form)));
      button.disabled = false;
    } catch (failure) {
      button.disabled = false;
      tell(problem, failure.message);
      (blame(form, failure.fields || []) || button).focus();
    }
  });
}

const ways = find('ways');
let address = query.get('email') || '';

function show(id, heading) {
  tell(problem, '');
  for (const part of ways.children) {
    part.hidden = part.id !== id;
  }
  const part = find(id);
  const title = heading || part.dataset.heading || find('heading').dataset.usual;
  find('heading').textContent = title;
  document.title = title + ' · ' + find('page').dataset.name;
  const email = part.elements && part.elements.email;
  if (email && address) {
    email.value = address;
  }
  const field = part.elements && [...part.elements].find((each) => each.tagName === 'INPUT' && !each.value);
  (field || find('heading')).focus();
}

// Only a path of this very server is gone back to.
function placeAfterwards() {
  const from = query.get('from');
  if (!from || !from.startsWith('/')) {
    return null;
  }
  const target = new URL(from, location.origin);
  return target.origin === location.origin ? target.href : null;
}

async function welcome(session) {
  if (!session.platformId) {
    show('name');
    return;
  }
  const target = placeAfterwards();
  if (target) {
    location.replace(target);
    return;
  }
  await enter(session);
}

async function enter(person) {
  const projects = await call('/v1/projects?limit=1000');
  find('others').hidden = true;
  find('who').textContent = `${person.firstName} ${person.lastName}`.trim() || person.email;
  find('projects').replaceChildren(...projects.data.map((project) => {
    const item = document.createElement('li');
    item.textContent = project.displayName;
    return item;
  }));
  show('in', 'Welcome');
}

async function signOut() {
  await fetch(prefix + '/api/v1/authentication/sign-out', { method: 'POST' });
}

async function askForCode(email) {
  address = email;
  await call('/v1/authentication/otp/request', { email });
  find('address').textContent = email;
  find('code').reset();
  show('code');
}

if (ways) {
  const codes = ways.dataset.codes === 'true';
  const passwords = ways.dataset.passwords === 'true';
  const signingUp = ways.dataset.first === 'true' || query.get('signUp') === 'true';
  for (const button of document.querySelectorAll('[data-show]')) {
    button.hidden = 'codes' in button.dataset && !codes;
    button.addEventListener('click', () => {
      const wanted = button.dataset.show;
      show(wanted === 'password' && signingUp && button.closest('form').id === 'ask' ? 'sign-up' : wanted);
    });
  }
  onSubmit('ask', (fields) => askForCode(fields.email));
  onSubmit('code', async (fields) => welcome(
    await call('/v1/authentication/otp/verify', { email: address, code: fields.code })));
  onSubmit('name', async (fields) => welcome(await call(
    '/v1/authentication/complete-sign-up', fields)));
  onSubmit('password', async (fields) => welcome(await call('/v1/authentication/sign-in', fields)));
  onSubmit('sign-up', async (fields) => welcome(await call(
    '/v1/authentication/sign-up', { ...fields, trackEvents: false, newsLetter: false })));
  onSubmit('forgotten', async (fields) => {
    await call('/v1/otp', { email: fields.email, type: 'PASSWORD_RESET' });
    tell(notice, 'If this address has an account, a link is on its way.');
  });
  find('again').addEventListener('click', async () => {
    try {
      await askForCode(address);
      tell(notice, 'Sent again.');
    } catch (failure) {
      tell(problem, failure.message);
    }
  });
  find('out').addEventListener('click', async () => {
    await signOut();
    location.assign(prefix + '/sign-in');
  });
  if (codes) {
    show('ask');
  } else if (passwords) {
    show(signingUp ? 'sign-up' : 'password');
  }
  if (!query.get('from')) {
    call('/v1/users/me').then(enter).catch(() => {});
  }
  offerOthers();
}

// Further ways in, as the server says them.
async function offerOthers() {
  const flags = await call('/v1/flags');
  const offered = flags.THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP || {};
  const others = find('others');
  const add = (text, work) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'other';
    button.textContent = text;
    button.addEventListener('click', () => work().catch((failure) => tell(problem, failure.message)));
    others.append(button);
    others.hidden = !find('in').hidden;
  };
  if (offered.google) {
    add('Continue with Google', () => signOn('google'));
  }
  if (offered.oidc) {
    add('Single sign-on', () => signOn('oidc'));
  }
  if (offered.saml) {
    add('Single sign-on (SAML)', async () => {
      sessionStorage.setItem('signOn', 'begun');
      location.assign(prefix + '/api/v1/authn/saml/login');
    });
  }
  if ([...ways.children].every((part) => part.hidden) && others.hidden) {
    tell(notice, texts.EMAIL_AUTH_DISABLED);
  }
}

// The provider's page stands in a window of its own; when it comes back, that window hands its code to this one.
async function signOn(providerName) {
  const popup = window.open('about:blank', 'sign-on', 'width=520,height=680');
  if (!popup) {
    throw new Error('Allow this page to open a window, and try again.');
  }
  const answer = await call('/v1/authn/federated/login?providerName=' + providerName);
  popup.location = answer.loginUrl;
  const { code, iss } = await new Promise((resolve, reject) => {
    const watch = setInterval(() => popup.closed && finish(reject, new Error('The window was closed.')), 500);
    const listen = (event) => {
      if (event.origin === location.origin && event.source === popup && event.data && event.data.code) {
        finish(resolve, { code: decodeURIComponent(event.data.code), iss: event.data.iss });
      }
    };
    const finish = (end, value) => {
      clearInterval(watch);
      window.removeEventListener('message', listen);
      end(value);
    };
    window.addEventListener('message', listen);
  });
  popup.close();
  await welcome(await call('/v1/authn/federated/claim', { providerName, code, ...(iss && { iss }) }));
}

// Only what this very tab has asked for is taken: a link that somebody sent opens nobody's session.
async function takeOver() {
  const begun = sessionStorage.getItem('signOn');
  sessionStorage.removeItem('signOn');
  history.replaceState(null, '', location.pathname);
  try {
    if (!begun) {
      throw new Error('not begun here');
    }
    await call('/v1/authn/hand-over', {});
    location.replace(prefix + '/sign-in');
  } catch (unexpected) {
    find('handover').textContent = 'You are not signed in';
    tell(problem, 'Signing in was not begun here. Start again from the sign-in page.');
  }
}

if (find('handover')) {
  takeOver();
}

const invited = find('for');
if (invited && address) {
  invited.textContent = ' for ' + address;
}
onSubmit('accept', async () => {
  const answer = await call('/v1/user-invitations/accept', { invitationToken: query.get('token') || '' });
  const next = new URLSearchParams({ email: address });
  if (!answer.registered) {
    next.set('signUp', 'true');
  }
  location.assign(prefix + '/sign-up?' + next);
});

const proof = { identityId: query.get('identityId') || '', otp: query.get('otp') || '' };
onSubmit('reset', async (fields) => {
  await call('/v1/authn/local/reset-password', { ...proof, newPassword: fields.newPassword });
  await signOut();
  find('reset').hidden = true;
  tell(notice, 'Your new password is saved. Sign in with it.');
});
onSubmit('verify', async () => {
  await call('/v1/authn/local/verify-email', proof);
  find('verify').hidden = true;
  tell(notice, 'Thank you: your address is confirmed.');
});
