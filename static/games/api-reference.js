// Shows the OpenAPI document with Swagger UI, signed in as whoever reads the page.

const place = document.getElementById("reference");

function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = csrfToken();
    return request;
  },
});
