// ns-3's own AODV on a movement trace and a list of flows, measured as Everypath measures its own.
//
//   aodv --radio=ideal|80211b --trace=FILE.tcl --flows=FILE.csv [--seed=1] [--feedback=link|wifi|none]
//        [--arp=known|asked]
//
// Prints a line of column names and a line of values. AODV is the library's, untouched: this file
// only builds the network around it and counts.

#include "disc.h"

#include "ns3/aodv-module.h"
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

const Time END = Seconds(200);
const uint16_t AODV_PORT = 654;
const uint16_t FIRST_DATA_PORT = 10000;

[[noreturn]] void
Refuse(const std::string& why)
{
    std::fprintf(stderr, "aodv: %s\n", why.c_str());
    std::exit(1);
}

// What is counted, over all nodes.
struct Counts
{
    uint64_t sent = 0;
    std::vector<double> delaysMs;
    uint64_t rreq = 0;
    uint64_t rrep = 0;
    uint64_t rerr = 0;
    uint64_t hello = 0;
    uint64_t ack = 0;
    uint64_t data = 0;
};

Counts g_counts;

// Counts an IPv4 packet that a node hands to its device. Reads the encoded bytes, because taking
// headers off a copy of each packet would cost ns-3 time that a user's run does not take.
void
CountTransmission(Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t interface)
{
    const uint32_t loopback = 0; // where AODV keeps packets that wait for a route
    if (interface == loopback)
    {
        return;
    }
    uint8_t bytes[48] = {};
    packet->CopyData(bytes, sizeof bytes);
    const uint8_t* udp = bytes + 20;
    const uint8_t* message = udp + 8;
    if (udp[2] * 256 + udp[3] != AODV_PORT)
    {
        ++g_counts.data;
        return;
    }
    switch (message[0])
    {
    case aodv::AODVTYPE_RREQ:
        ++g_counts.rreq;
        break;
    case aodv::AODVTYPE_RREP: {
        // A hello is a reply that names its sender both as destination and as originator.
        const bool hello = std::memcmp(message + 4, message + 12, 4) == 0;
        ++(hello ? g_counts.hello : g_counts.rrep);
        break;
    }
    case aodv::AODVTYPE_RERR:
        ++g_counts.rerr;
        break;
    case aodv::AODVTYPE_RREP_ACK:
        ++g_counts.ack;
        break;
    }
}

// One flow: a packet at its start and after each interval; the sink takes each packet once.
class Flow
{
  public:
    Flow(Ptr<Node> source, Ptr<Node> sink, uint16_t port, Time start, Time interval, uint32_t bytes)
        : m_interval(interval),
          m_bytes(bytes)
    {
        const auto udp = UdpSocketFactory::GetTypeId();
        m_receiver = Socket::CreateSocket(sink, udp);
        m_receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        m_receiver->SetRecvCallback(MakeCallback(&Flow::Receive, this));
        m_sender = Socket::CreateSocket(source, udp);
        m_sender->Bind();
        m_sender->Connect(InetSocketAddress(AddressOf(sink), port));
        Simulator::ScheduleWithContext(source->GetId(), start, &Flow::Send, this);
    }

  private:
    void Send()
    {
        SeqTsHeader header; // number and time of sending: 12 of the payload's bytes
        header.SetSeq(static_cast<uint32_t>(m_arrived.size()));
        auto packet = Create<Packet>(m_bytes - header.GetSerializedSize());
        packet->AddHeader(header);
        m_arrived.push_back(false);
        ++g_counts.sent;
        m_sender->Send(packet);
        if (Simulator::Now() + m_interval < END)
        {
            Simulator::Schedule(m_interval, &Flow::Send, this);
        }
    }

    void Receive(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            SeqTsHeader header;
            packet->RemoveHeader(header);
            if (!m_arrived.at(header.GetSeq()))
            {
                m_arrived[header.GetSeq()] = true;
                const Time delay = Simulator::Now() - header.GetTs();
                g_counts.delaysMs.push_back(delay.GetSeconds() * 1e3);
            }
        }
    }

    Time m_interval;
    uint32_t m_bytes;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver;
    std::vector<bool> m_arrived;
};

NetDeviceContainer
Install80211b(const NodeContainer& nodes)
{
    YansWifiChannelHelper air;
    air.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
    air.AddPropagationLoss("ns3::RangePropagationLossModel", "MaxRange", DoubleValue(RANGE_M));
    YansWifiPhyHelper phy;
    phy.SetChannel(air.Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211b);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue("DsssRate11Mbps"),
                                 "ControlMode",
                                 StringValue("DsssRate1Mbps"),
                                 "NonUnicastMode",
                                 StringValue("DsssRate1Mbps"));
    return wifi.Install(phy, mac, nodes);
}

// AODV with its times and limits spelt out, although most are the library's own.
void
InstallAodv(const NodeContainer& nodes)
{
    AodvHelper router;
    router.Set("EnableHello", BooleanValue(true));
    router.Set("HelloInterval", TimeValue(Seconds(1)));
    router.Set("AllowedHelloLoss", UintegerValue(2));
    router.Set("ActiveRouteTimeout", TimeValue(Seconds(3)));
    router.Set("MyRouteTimeout", TimeValue(Seconds(11.2)));
    router.Set("NodeTraversalTime", TimeValue(MilliSeconds(40)));
    router.Set("NetDiameter", UintegerValue(35));
    router.Set("NetTraversalTime", TimeValue(Seconds(2.8)));
    router.Set("PathDiscoveryTime", TimeValue(Seconds(5.6)));
    router.Set("DeletePeriod", TimeValue(Seconds(15)));
    router.Set("TtlStart", UintegerValue(1));
    router.Set("TtlIncrement", UintegerValue(2));
    router.Set("TtlThreshold", UintegerValue(7));
    router.Set("TimeoutBuffer", UintegerValue(2));
    router.Set("RreqRetries", UintegerValue(2));
    router.Set("RreqRateLimit", UintegerValue(10));
    router.Set("RerrRateLimit", UintegerValue(10));
    router.Set("MaxQueueLen", UintegerValue(64));
    router.Set("MaxQueueTime", TimeValue(Seconds(30)));
    router.Set("GratuitousReply", BooleanValue(true));
    InternetStackHelper stack;
    stack.SetRoutingHelper(router);
    stack.Install(nodes);
    int64_t stream = 0;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        stream += (*node)->GetObject<aodv::RoutingProtocol>()->AssignStreams(stream);
    }
}

// Every node knows every hardware address from the start. The entries are permanent: of those that
// ns-3's own helper generates AODV takes no notice, and then it is deaf to lost frames.
void
FillArpCaches(const NodeContainer& nodes)
{
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        auto cache = (*node)->GetObject<Ipv4L3Protocol>()->GetInterface(1)->GetArpCache();
        for (auto other = nodes.Begin(); other != nodes.End(); ++other)
        {
            auto entry = cache->Add(AddressOf(*other));
            entry->SetMacAddress((*other)->GetDevice(0)->GetAddress());
            entry->MarkPermanent();
        }
    }
}

uint32_t
NodesOf(const std::string& trace)
{
    std::ifstream file(trace);
    if (!file)
    {
        Refuse(trace + " cannot be read");
    }
    const std::string name = "$node_(";
    uint32_t nodes = 0;
    for (std::string line; std::getline(file, line);)
    {
        const auto at = line.find(name);
        if (at != std::string::npos)
        {
            const auto node = std::strtoul(line.c_str() + at + name.size(), nullptr, 10);
            nodes = std::max<uint32_t>(nodes, node + 1);
        }
    }
    if (nodes == 0)
    {
        Refuse(trace + " moves no node");
    }
    return nodes;
}

std::vector<std::unique_ptr<Flow>>
ReadFlows(const std::string& path, const NodeContainer& nodes)
{
    std::ifstream file(path);
    if (!file)
    {
        Refuse(path + " cannot be read");
    }
    std::vector<std::unique_ptr<Flow>> flows;
    std::string line;
    std::getline(file, line);
    if (line != "src,dst,start_s,interval_s,bytes")
    {
        Refuse(path + ":1: not the columns src,dst,start_s,interval_s,bytes");
    }
    for (int number = 2; std::getline(file, line); ++number)
    {
        unsigned source = 0;
        unsigned sink = 0;
        unsigned bytes = 0;
        double start = 0;
        double interval = 0;
        const int read = std::sscanf(line.c_str(),
                                     "%u,%u,%lf,%lf,%u",
                                     &source,
                                     &sink,
                                     &start,
                                     &interval,
                                     &bytes);
        const unsigned known = nodes.GetN();
        if (read != 5 || source >= known || sink >= known || start < 0 || interval <= 0 ||
            bytes < SeqTsHeader().GetSerializedSize())
        {
            Refuse(path + ":" + std::to_string(number) + ": not a flow between nodes of the trace");
        }
        flows.push_back(std::make_unique<Flow>(nodes.Get(source),
                                               nodes.Get(sink),
                                               FIRST_DATA_PORT + flows.size(),
                                               Seconds(start),
                                               Seconds(interval),
                                               bytes));
    }
    return flows;
}

// The smallest delay that at least this share of the packets do not exceed.
double
Quantile(const std::vector<double>& sorted, double share)
{
    if (sorted.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto rank = static_cast<std::size_t>(std::ceil(share * sorted.size()));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

void
Print(double cpu)
{
    auto& delays = g_counts.delaysMs;
    std::sort(delays.begin(), delays.end());
    double sum = 0;
    for (double delay : delays)
    {
        sum += delay;
    }
    const auto print = [](uint64_t count) { std::printf("%llu,", (unsigned long long)count); };
    std::puts("sent,received,delivery_ratio,delay_ms,median_ms,p95_ms,"
              "rreq,rrep,rerr,hello,ack,data_transmissions,events,cpu_s");
    print(g_counts.sent);
    print(delays.size());
    std::printf("%.4f,%.3f,%.3f,%.3f,",
                double(delays.size()) / g_counts.sent,
                sum / delays.size(),
                Quantile(delays, 0.5),
                Quantile(delays, 0.95));
    for (uint64_t count : {g_counts.rreq,
                           g_counts.rrep,
                           g_counts.rerr,
                           g_counts.hello,
                           g_counts.ack,
                           g_counts.data,
                           Simulator::GetEventCount()})
    {
        print(count);
    }
    std::printf("%.3f\n", cpu);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string radio = "ideal";
    std::string trace;
    std::string flowList;
    uint32_t seed = 1;
    std::string feedback = "link";
    std::string arp = "known";
    CommandLine line(__FILE__);
    line.AddValue("radio", "ideal or 80211b", radio);
    line.AddValue("trace", "movements as ns-2 writes them", trace);
    line.AddValue("flows", "flows: src,dst,start_s,interval_s,bytes", flowList);
    line.AddValue("seed", "number of the run", seed);
    line.AddValue("feedback", "of the ideal radio: link, wifi or none", feedback);
    line.AddValue("arp", "whether nodes know all hardware addresses: known or asked", arp);
    line.Parse(argc, argv);
    if (arp != "known" && arp != "asked")
    {
        Refuse("no ARP " + arp + "; there are known and asked");
    }
    if (radio != "ideal" && radio != "80211b")
    {
        Refuse("no radio " + radio + "; there are ideal and 80211b");
    }
    const std::map<std::string, Feedback> feedbacks = {{"link", Feedback::LINK},
                                                       {"wifi", Feedback::WIFI},
                                                       {"none", Feedback::NONE}};
    if (feedbacks.count(feedback) == 0)
    {
        Refuse("no feedback " + feedback + "; there are link, wifi and none");
    }
    if (seed == 0)
    {
        Refuse("seeds start at 1");
    }
    RngSeedManager::SetRun(seed);
    NodeContainer nodes;
    nodes.Create(NodesOf(trace));

    const std::clock_t started = std::clock();
    Ns2MobilityHelper(trace).Install();
    const bool ideal = radio == "ideal";
    const auto devices =
        ideal ? InstallIdealRadio(nodes, feedbacks.at(feedback)) : Install80211b(nodes);
    InstallAodv(nodes);
    Ipv4AddressHelper("10.1.0.0", "255.255.0.0").Assign(devices);
    if (arp == "known")
    {
        FillArpCaches(nodes);
    }
    const auto flows = ReadFlows(flowList, nodes);
    Config::ConnectWithoutContext("/NodeList/*/$ns3::Ipv4L3Protocol/Tx",
                                  MakeCallback(&CountTransmission));
    Simulator::Stop(END);
    Simulator::Run();
    Print(double(std::clock() - started) / CLOCKS_PER_SEC);
    Simulator::Destroy();
}
