import { formatDay } from '../../kernel/dates.ts';

interface Sample {
  name: string;
  code: string;
}

/** Returns a first call in integrators' languages, with this deployment's address. */
export function quickStart(origin: string, day: Temporal.PlainDate): Sample[] {
  const url = `${origin}/payment-request`;
  const body = `{"payment_request":{"description":"Cuota","first_due_date":"${formatDay(day)}","first_total":1430.5,"payer_name":"Ana Pérez"}}`;
  return [
    {
      name: 'curl',
      code: `curl -sS ${url} \\
  -H "Authorization: Bearer $RECAUDO_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
    },
    {
      name: 'TypeScript',
      code: `const answer = await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.RECAUDO_KEY}\`,
    'content-type': 'application/json',
  },
  body: '${body}',
});
console.log(answer.status, await answer.json());`,
    },
    {
      name: 'Python',
      code: `import os, urllib.request

request = urllib.request.Request(
    '${url}',
    data='${body}'.encode(),
    headers={
        'Authorization': f"Bearer {os.environ['RECAUDO_KEY']}",
        'Content-Type': 'application/json',
    },
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode())`,
    },
    {
      name: 'PHP',
      code: `<?php
$call = curl_init('${url}');
curl_setopt_array($call, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('RECAUDO_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => '${body}',
]);
echo curl_exec($call);`,
    },
    {
      name: 'Java',
      code: `import java.net.URI;
import java.net.http.*;

public class Main {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("${url}"))
        .header("Authorization", "Bearer " + System.getenv("RECAUDO_KEY"))
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString("""
            ${body}"""))
        .build();
    var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`,
    },
    {
      name: 'C#',
      code: `using System.Net.Http.Headers;
using System.Text;

using var http = new HttpClient();
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
    "Bearer", Environment.GetEnvironmentVariable("RECAUDO_KEY"));
var body = """${body}""";
var answer = await http.PostAsync("${url}",
    new StringContent(body, Encoding.UTF8, "application/json"));
Console.WriteLine($"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}");`,
    },
  ];
}
