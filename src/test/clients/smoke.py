"""Uses a running server through the client that was generated for Python: signs up, makes a flow, runs it, uploads a file.

Arguments: the server's URL, the address and password of a new account, the file of a flow, and a picture.
"""

import json
import sys
from pathlib import Path

import millrace_client as client

url, email, password, flow_file, picture = sys.argv[1:]
api = client.ApiClient(client.Configuration(host=url + "/api"))
session = client.SignInApi(api).sign_up(
    client.SignUp(
        email=email, password=password, firstName="Ada", lastName="Miller", trackEvents=False, newsLetter=False
    )
)
signed_in = client.ApiClient(client.Configuration(host=url + "/api", access_token=session.token))

project = client.ProjectsApi(signed_in).create_project(client.NewProject(displayName="Python"))
assert project.display_name == "Python", project

flows = client.FlowsApi(signed_in)
flow = flows.create_flow(client.NewFlow(displayName="Orders", projectId=session.project_id))
request = json.loads(Path(flow_file).read_text())
flows.operate_flow(flow.id, client.FlowOperation.from_dict({"type": "IMPORT_FLOW", "request": request}))
published = flows.operate_flow(flow.id, client.FlowOperation.from_dict({"type": "LOCK_AND_PUBLISH", "request": {}}))
assert published.status == client.FlowStatus.ENABLED, published

order = {"customer": "Ada", "quantity": 3, "price": 19.5}
answer = client.WebhooksApi(signed_in).receive_event_and_wait_without_preload_content(flow.id, body=order)
assert json.loads(answer.data) == {"customer": "Ada", "total": 58.5, "decision": "accepted"}, answer.data

runs = client.RunsApi(signed_in)
page = runs.list_runs(session.project_id)
assert len(page.data) == 1, page
run = runs.get_run(page.data[0].id)
assert run.status == client.RunStatus.SUCCEEDED, run
assert len(run.steps) == 4, run.steps

person = client.PeopleApi(signed_in).update_own_user(profile_picture=picture, _content_type="multipart/form-data")
assert person.image_url, person

try:
    client.ProjectsApi(signed_in).get_project("0" * 21)
    raise AssertionError("expected no such project")
except client.ApiException as refused:
    assert refused.status == 404, refused
